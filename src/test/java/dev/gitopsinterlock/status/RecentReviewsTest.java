package dev.gitopsinterlock.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Caller.Unauthenticated;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.edit.EditReason;
import dev.gitopsinterlock.page.SampleFacts;
import dev.gitopsinterlock.status.RecentReviews.Asked;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is remembered, and how much of it at most. */
class RecentReviewsTest {

    private final SampleFacts given = new SampleFacts();

    @Test
    void theNewestEditComesFirst() {
        refused(1, "first");
        refused(2, "second");

        assertThat(edits()).extracting(edit -> edit.object().toString()).containsExactly("shop/second", "shop/first");
    }

    @Test
    void whatIsSentAgainAndAgainIsOneLine() {
        refused(1, "migrate");
        refused(2, "another");
        refused(3, "migrate");

        assertThat(edits()).hasSize(2);
        assertThat(edits().getFirst())
                .extracting(RecentEdit::at, RecentEdit::times)
                .containsExactly(SampleFacts.NOW.plusSeconds(3), 2L);
    }

    @Test
    void itIsBounded() {
        IntStream.range(0, 10_000).forEach(i -> refused(i, "job-" + i));

        assertThat(edits()).hasSize(RecentReviews.MOST_EDITS);
        assertThat(edits().getFirst().object().name()).isEqualTo("job-9999");
    }

    @Test
    void longNamesAreCut() {
        given.decided(SampleFacts.NOW, "x".repeat(100_000), false, SampleFacts.refused("x", "y".repeat(100_000)));

        var edit = edits().getFirst();
        assertThat(edit.object().name()).hasSize(253);
        assertThat(edit.fields().getFirst()).hasSize(253);
    }

    @Test
    void ofManyFieldsTheFirstAreKept() {
        given.decided(SampleFacts.NOW, "x", false, SampleFacts.refused("x", "a", "b", "c", "d", "e"));

        assertThat(edits().getFirst().fields()).containsExactly("a", "b", "c");
        assertThat(edits().getFirst().more()).isEqualTo(2);
    }

    @Test
    void whatChangesNothingIsCountedOnly() {
        given.decided(SampleFacts.NOW, "x", false, Decision.allow(EditReason.NO_IMMUTABLE_CHANGE));

        assertThat(edits()).isEmpty();
        assertThat(given.reviews.snapshot().asked()).containsEntry("mutate-jobs", new Asked(1, 0, SampleFacts.NOW));
    }

    @Test
    void whatTakesEffectIsSeen() {
        given.decided(SampleFacts.NOW, "x", false, Decision.allow(EditReason.REPLACED));
        given.decided(SampleFacts.NOW, "y", true, Decision.allow(EditReason.REPLACED));

        assertThat(edits()).extracting(RecentEdit::outcome).containsExactly(EditOutcome.REPLACED, EditOutcome.REPLACED);
        assertThat(given.reviews.snapshot().outcomes()).containsEntry(EditOutcome.REPLACED, 1L);
    }

    @ParameterizedTest
    @CsvSource({"REPLACED, REPLACED", "RUN_STARTED, RUN_BESIDE", "WARNED, WARNED"})
    void everyReasonThatPeopleWantToSeeIsAFate(EditReason reason, EditOutcome outcome) {
        given.decided(SampleFacts.NOW, "x", false, Decision.allow(reason));

        assertThat(edits()).singleElement().extracting(RecentEdit::outcome).isEqualTo(outcome);
    }

    /** Else anybody who reaches the port could push out what is real. */
    @Test
    void whatAStrangerSendsIsNotKept() {
        given.decided(
                SampleFacts.NOW,
                new Unauthenticated(),
                "forged",
                false,
                SampleFacts.refused("forged", "spec.template"));

        assertThat(edits()).isEmpty();
        assertThat(given.reviews.snapshot().asked()).isEmpty();
        assertThat(given.reviews.snapshot().unauthenticated()).hasValue(SampleFacts.NOW);
    }

    private List<RecentEdit> edits() {
        return given.reviews.snapshot().edits();
    }

    private void refused(int second, String name) {
        given.decided(SampleFacts.NOW.plusSeconds(second), name, false, SampleFacts.refused(name, "spec.template"));
    }
}
