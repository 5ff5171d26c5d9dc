package dev.gitopsinterlock.cluster.effect;

import static dev.gitopsinterlock.cluster.effect.TestReplica.CAROL;
import static dev.gitopsinterlock.cluster.effect.TestReplica.FINISHED;
import static dev.gitopsinterlock.cluster.effect.TestReplica.SETTLE;
import static dev.gitopsinterlock.cluster.effect.TestReplica.TIME;
import static dev.gitopsinterlock.cluster.effect.TestReplica.edit;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cluster.api.FakeApiServer;
import dev.gitopsinterlock.cluster.api.FakeApiServer.Call;
import dev.gitopsinterlock.cluster.api.FakeApiServer.Fault;
import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.effect.Outcome.Done;
import dev.gitopsinterlock.effect.Outcome.NotImpersonated;
import dev.gitopsinterlock.effect.Outcome.RecreateFailed;
import dev.gitopsinterlock.effect.Outcome.Refused;
import dev.gitopsinterlock.effect.Outcome.RightsMissing;
import dev.gitopsinterlock.effect.Outcome.Superseded;
import dev.gitopsinterlock.effect.Outcome.Unavailable;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Requester;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of docs/replace.md, "What can go wrong, and what you see then", that are about what happens in the cluster. */
class JobEffectsTest {

    private static final String NAME = "db-migrate";

    private TestReplica replica = TestReplica.as(ReplacementAs.SERVICE_ACCOUNT);
    private FakeApiServer api = replica.api;
    private ObjectNode live = api.write(FINISHED.deepCopy());

    @AfterEach
    void close() {
        replica.close();
    }

    private void as(ReplacementAs as) {
        replica.close();
        replica = TestReplica.as(as);
        api = replica.api;
        live = api.write(FINISHED.deepCopy());
    }

    @Test
    void replacedInItsOrder() {
        assertThat(replica.replace(edit(live))).isEqualTo(new Done());

        assertThat(api.calls())
                .containsExactly(
                        Call.LOOK,
                        Call.MAY,
                        Call.MAY,
                        Call.TRY_TO_CREATE,
                        Call.NAMESPACE,
                        Call.READ_KEY,
                        Call.MAKE_KEY,
                        Call.KEEP,
                        Call.DELETE,
                        Call.CREATE,
                        Call.DROP_INTENT);
        assertReplaced();
    }

    /** In the requester's name nobody has to be asked for the requester's rights. */
    @Test
    void asTheRequesterInItsOrder() {
        as(ReplacementAs.REQUESTER);

        assertThat(replica.replace(edit(live))).isEqualTo(new Done());

        assertThat(api.calls()).doesNotContain(Call.MAY);
        assertReplaced();
    }

    @Test
    void dryRunStoresNothing() {
        assertThat(replica.replace(edit(live, CAROL, true))).isEqualTo(new Done());

        assertThat(api.calls()).containsExactly(Call.LOOK, Call.MAY, Call.MAY, Call.TRY_TO_CREATE, Call.TRY_TO_DELETE);
        assertUntouched();
    }

    @Test
    void ofTheRequestersRightsBothAreAsked() {
        api.deny("create");
        api.deny("delete");

        assertThat(replica.replace(edit(live))).isEqualTo(new RightsMissing(List.of("delete", "create")));

        assertUntouched();
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "delete"})
    void rightThatIsMissingIsNamedAlone(String verb) {
        api.deny(verb);

        assertThat(replica.replace(edit(live))).isEqualTo(new RightsMissing(List.of(verb)));

        assertUntouched();
    }

    @ParameterizedTest
    @CsvSource({"TRY_TO_CREATE, create", "DELETE, delete"})
    void rightThatTheRequesterLacksIsTheRequesters(Call call, String verb) {
        as(ReplacementAs.REQUESTER);
        api.always(call, Fault.refused(403, "carol cannot %s resource \"jobs\" in API group".formatted(verb)));

        assertThat(replica.replace(edit(live))).isEqualTo(new RightsMissing(List.of(verb)));

        assertUntouched();
    }

    @Test
    void rightThatWeLackIsOurs() {
        api.always(Call.DELETE, Fault.refused(403, "the account cannot delete resource \"jobs\" in API group"));

        assertThat(replica.replace(edit(live)))
                .isEqualTo(new Unavailable("gitops-interlock's account may not delete Jobs here"));

        assertUntouched();
    }

    @Test
    void whoCannotBeImpersonatedIsNotActedFor() {
        as(ReplacementAs.REQUESTER);
        var master = new Requester("root", "", List.of("system:masters"), Map.of());

        assertThat(replica.replace(edit(live, master, false))).isInstanceOf(NotImpersonated.class);

        assertThat(api.calls()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"TRY_TO_CREATE", "DELETE"})
    void whatAPolicyRefusesIsToldInItsWords(Call call) {
        api.always(call, Fault.refused(403, "no Jobs on Fridays"));

        assertThat(replica.replace(edit(live))).isEqualTo(new Refused("no Jobs on Fridays"));

        assertUntouched();
    }

    static Stream<Arguments> troubleBeforeTheDeletion() {
        return Stream.of(
                        Call.LOOK,
                        Call.MAY,
                        Call.TRY_TO_CREATE,
                        Call.NAMESPACE,
                        Call.READ_KEY,
                        Call.MAKE_KEY,
                        Call.KEEP)
                .flatMap(call -> Stream.of(
                                Fault.LOST_BEFORE,
                                Fault.LOST_AFTER,
                                Fault.status(500),
                                Fault.status(503),
                                Fault.status(429))
                        .map(fault -> Arguments.of(call, fault)));
    }

    @ParameterizedTest
    @MethodSource("troubleBeforeTheDeletion")
    void troubleBeforeTheDeletionLeavesTheJobAsItIs(Call call, Fault fault) {
        api.next(call, fault);

        assertThat(replica.replace(edit(live))).isInstanceOf(Unavailable.class);

        assertThat(api.calls()).doesNotContain(Call.DELETE).containsOnlyOnce(call);
        assertUntouched();
        assertThat(replica.replace(edit(live))).isEqualTo(new Done());
    }

    @Test
    void withoutAKeyThatSignsNothingIsBegun() {
        api.keep((ObjectNode)
                Trees.json("{'metadata': {'name': 'gitops-interlock-intent-key'}, 'data': {'key': 'c2hvcnQ='}}"));

        assertThat(replica.replace(edit(live))).isInstanceOf(Unavailable.class);

        assertUntouched();
    }

    @Test
    void withTooLittleTimeNothingIsBegun() {
        assertThat(replica.replace(edit(live), Optional.empty(), Duration.ofSeconds(2)))
                .isEqualTo(new Unavailable("too little of the request's time was left"));

        assertThat(api.calls()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("answersThatTellNothing")
    void deletionWhoseAnswerIsLostIsGoneOnWith(Fault fault) {
        api.justBefore(Call.DELETE, () -> {
            if (!fault.equals(Fault.LOST_AFTER)) {
                api.remove(NAME);
            }
        });
        api.next(Call.DELETE, fault);

        assertThat(replica.replace(edit(live))).isEqualTo(new Done());

        assertReplaced();
    }

    static Stream<Fault> answersThatTellNothing() {
        return Stream.of(Fault.LOST_AFTER, Fault.status(500), Fault.status(504));
    }

    @Test
    void deletionThatTheApiServerHasNoTimeForIsGivenUp() {
        api.next(Call.DELETE, Fault.status(429));

        assertThat(replica.replace(edit(live)))
                .isEqualTo(new Unavailable("the API server answered with HTTP status 429"));

        assertThat(api.calls()).containsOnlyOnce(Call.DELETE);
        assertUntouched();
    }

    /** It may be on its way still; then somebody has to go on. */
    @ParameterizedTest
    @MethodSource("deletionsThatMayCome")
    void deletionThatNobodyDidIsNotGivenUpForGood(Fault fault) {
        api.next(Call.DELETE, fault);

        assertThat(replica.replace(edit(live))).isEqualTo(new Unavailable("the API server did not delete the old Job"));

        assertThat(api.calls()).containsOnlyOnce(Call.DELETE).doesNotContain(Call.CREATE);
        assertThat(api.job(NAME)).contains(live);
        assertThat(api.intents()).hasSize(1);
    }

    static Stream<Fault> deletionsThatMayCome() {
        return Stream.of(Fault.LOST_BEFORE, Fault.status(500));
    }

    @Test
    void deletionThatNobodyCanTellTheOutcomeOfIsNotGivenUpForGood() {
        api.next(Call.DELETE, Fault.LOST_AFTER);
        api.justBefore(Call.DELETE, () -> api.always(Call.LOOK, Fault.LOST_BEFORE));

        assertThat(replica.replace(edit(live))).isInstanceOf(RecreateFailed.class);

        assertThat(api.intents()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("troubleOfACreation")
    void creationIsRepeatedUntilThereIsOneNewJob(List<Fault> faults) {
        api.next(Call.CREATE, faults.toArray(Fault[]::new));

        assertThat(replica.replace(edit(live))).isEqualTo(new Done());

        assertReplaced();
    }

    static Stream<List<Fault>> troubleOfACreation() {
        return Stream.of(
                List.of(Fault.LOST_BEFORE),
                List.of(Fault.LOST_AFTER),
                List.of(Fault.status(500), Fault.status(503), Fault.status(429)),
                List.of(Fault.LOST_AFTER, Fault.status(500)));
    }

    @Test
    void newJobThatIsRefusedForGoodIsGivenUp() {
        api.always(Call.CREATE, Fault.refused(422, "never"));

        assertThat(replica.replace(edit(live))).isEqualTo(new RecreateFailed("never"));

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).isEmpty();
    }

    /** A quota (403) counts what was deleted a moment later. */
    @ParameterizedTest
    @ValueSource(ints = {403, 500})
    void newJobThatCannotBeCreatedInTimeStaysIntended(int status) {
        api.always(Call.CREATE, Fault.refused(status, "exceeded quota"));

        assertThat(replica.replace(edit(live))).isEqualTo(new RecreateFailed("exceeded quota"));

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).hasSize(1);
        assertThat(replica.clock.now()).isBeforeOrEqualTo(FakeClock.BEGIN.plus(TIME));
    }

    /** Meanwhile another replica has finished it, and somebody has deleted what came of it. */
    @Test
    void processThatStoodStillDoesNotDoWhatOthersDid() {
        api.next(Call.DELETE, Fault.LOST_AFTER);
        api.justBefore(
                Call.DELETE,
                () -> api.justBefore(Call.LOOK, () -> {
                    replica.clock.pass(TIME);
                    api.forgetIntents();
                }));

        var outcome = replica.replace(edit(live), Optional.of(FakeClock.BEGIN.minusSeconds(60)), TIME.multipliedBy(3));

        assertThat(outcome).isEqualTo(new Superseded());
        assertThat(api.job(NAME)).isEmpty();
    }

    @Test
    void processThatStoodStillGoesOnWhereItWas() {
        api.next(Call.DELETE, Fault.LOST_AFTER);

        var outcome = replica.replace(edit(live), Optional.of(FakeClock.BEGIN.minusSeconds(60)), TIME.multipliedBy(3));

        assertThat(replica.clock.now()).isAfter(FakeClock.BEGIN.plusSeconds(5));
        assertThat(outcome).isEqualTo(new Done());
        assertReplaced();
    }

    static Stream<Arguments> writesOfOthers() {
        return Stream.of(Call.LOOK, Call.DELETE)
                .flatMap(call -> Stream.of(
                                Map.entry("/metadata/labels/mine", "kept"),
                                Map.entry("/metadata/finalizers", "mine"),
                                Map.entry("/spec/suspend", "true"),
                                Map.entry("/spec/parallelism", "0"))
                        .map(write -> Arguments.of(call, write.getKey(), write.getValue())));
    }

    @ParameterizedTest
    @MethodSource("writesOfOthers")
    void whatAnotherClientWritesInThatMomentIsNotLost(Call moment, String field, String value) {
        var written = Jobs.with(live, field, value);
        api.justBefore(moment, () -> api.write(written));

        assertThat(replica.replace(edit(live))).isEqualTo(new Superseded());

        assertThat(api.job(NAME))
                .hasValueSatisfying(job -> assertThat(job.at(field)).isEqualTo(written.at(field)));
        assertThat(api.intents()).isEmpty();
    }

    @Test
    void statusThatMovesInThatMomentChangesNothing() {
        var moved = Jobs.with(live, "/status/observed", "by somebody");
        api.justBefore(Call.DELETE, () -> api.write(moved));

        assertThat(replica.replace(edit(live))).isEqualTo(new Done());

        assertReplaced();
    }

    @Test
    void jobThatAToolCreatesInBetweenStays() {
        var theirs = new JsonNode[1];
        api.justBefore(Call.CREATE, () -> theirs[0] = api.create(Jobs.manifest(live)));

        assertThat(replica.replace(edit(live))).isEqualTo(new Superseded());

        assertThat(api.job(NAME)).contains(theirs[0]);
        assertThat(api.intents()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOK", "DELETE"})
    void jobThatSomebodyReplacedInThatMomentIsTheirs(Call moment) {
        var theirs = new JsonNode[1];
        api.justBefore(moment, () -> {
            api.remove(NAME);
            theirs[0] = api.create(Jobs.manifest(live));
        });

        assertThat(replica.replace(edit(live))).isEqualTo(new Superseded());

        assertThat(api.job(NAME)).contains(theirs[0]);
        assertThat(api.intents()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOK", "DELETE"})
    void jobThatSomebodyDeletesInThatMomentStaysAway(Call moment) {
        api.justBefore(moment, () -> api.remove(NAME));

        assertThat(replica.replace(edit(live))).isEqualTo(new Superseded());

        assertThat(api.calls()).doesNotContain(Call.CREATE);
        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).isEmpty();
    }

    /** Another replica has deleted it and creates it in a moment; until then its client would be told "not found". */
    @Test
    void ofTwoThatSendTheSameTheSecondWaitsForTheNewJob() {
        api.justBefore(Call.LOOK, () -> api.remove(NAME));
        api.justBefore(Call.LOOK, () -> {});
        api.justBefore(Call.LOOK, () -> api.create(Jobs.manifest(live)));

        assertThat(replica.replace(edit(live))).isEqualTo(new Superseded());

        assertThat(replica.clock.pauses()).hasSize(1);
    }

    static Stream<Arguments> editsOfTwo() {
        return Stream.of(Call.LOOK, Call.MAY, Call.TRY_TO_CREATE, Call.MAKE_KEY, Call.KEEP, Call.DELETE, Call.CREATE)
                .flatMap(moment -> Stream.of("ours", "theirs").map(theirs -> Arguments.of(moment, theirs)));
    }

    /** From beginning to end, another replica carries the same edit or another one out in a moment of ours. */
    @ParameterizedTest
    @MethodSource("editsOfTwo")
    void ofTwoEditsOneTakesEffectAndOnce(Call moment, String theirs) {
        var outcomes = new HashMap<String, Outcome>();
        try (var other = replica.another()) {
            api.justBefore(moment, () -> outcomes.put("another's", other.replace(labelled(theirs))));

            outcomes.put("ours", replica.replace(labelled("ours")));
        }

        assertThat(outcomes).containsValue(new Done());
        assertThat(outcomes.values()).allMatch(outcome -> outcome instanceof Done || outcome instanceof Superseded);
        assertThat(api.calls()).containsOnlyOnce(Call.CREATE);
        assertThat(api.intents()).isEmpty();
        assertThat(api.job(NAME))
                .hasValueSatisfying(
                        job -> assertThat(job.at("/metadata/labels/edit").asText())
                                .isEqualTo(outcomes.get("ours") instanceof Done ? "ours" : theirs));
    }

    private ObjectOperation labelled(String label) {
        var edit = edit(live);
        ((ObjectNode) edit.newObject()).withObject("/metadata/labels").put("edit", label);
        return edit;
    }

    @Test
    void jobThatIsNotTheReviewsIsLeftAlone() {
        var forged = Jobs.with(live, "/spec/template/spec/serviceAccountName", "admin");

        assertThat(replica.replace(edit(forged)))
                .isEqualTo(new Unavailable("the live Job is not as the request has it"));

        assertUntouched();
    }

    @Test
    void betweenDeletingARunningJobAndCreatingItAnewThereIsAPause() {
        replica.replace(edit(live), Optional.empty(), TIME);

        assertThat(replica.clock.pauses()).containsExactly(SETTLE);
        assertReplaced();
    }

    @Test
    void jobThatFinishedAMomentAgoHasItsPauseToo() {
        replica.replace(edit(live), Optional.of(FakeClock.BEGIN.minusSeconds(4)), TIME);

        assertThat(replica.clock.pauses()).containsExactly(SETTLE);
    }

    @Test
    void whenItFinishedCountsByTheApiServersClock() {
        try (var ahead = replica.another(Duration.ofHours(1))) {
            ahead.replace(edit(live), Optional.of(FakeClock.BEGIN.minusSeconds(4)), TIME);
        }

        assertThat(replica.clock.pauses()).containsExactly(SETTLE);
    }

    @Test
    void newJobThatDoesNotBeginIsTouchedSixTimes() {
        replica.replace(edit(live));

        for (int look = 0; look < 10; look++) {
            replica.later();
        }

        assertThat(replica.counted("gitops.interlock.retriggers")).isEqualTo(6);
        assertThat(api.job(NAME)
                        .orElseThrow()
                        .at("/metadata/annotations/gitops-interlock.dev~1retriggered")
                        .asText())
                .isEqualTo("6");
    }

    @Test
    void newJobThatBeginsIsNotTouched() {
        replica.replace(edit(live));
        var begun = Jobs.with(
                api.job(NAME).orElseThrow(), "/status/ready", Jobs.running().at("/spec/parallelism"));
        api.write(begun);

        replica.later();
        replica.later();

        assertThat(api.calls()).doesNotContain(Call.RETRIGGER);
    }

    /** Where nobody answers, nobody knows; that is no touch. */
    @Test
    void newJobThatCannotBeLookedAtIsLookedAtAgain() {
        replica.replace(edit(live));
        api.next(Call.LOOK, Fault.LOST_BEFORE, Fault.status(503));

        for (int look = 0; look < 3; look++) {
            replica.later();
        }

        assertThat(replica.counted("gitops.interlock.retriggers")).isEqualTo(1);
    }

    private void assertUntouched() {
        assertThat(api.job(NAME)).contains(live);
        assertThat(api.intents()).isEmpty();
        assertThat(api.calls()).doesNotContain(Call.CREATE);
    }

    private void assertReplaced() {
        assertThat(api.job(NAME)).hasValueSatisfying(job -> {
            assertThat(job.at("/metadata/uid")).isNotEqualTo(live.at("/metadata/uid"));
            assertThat(job.at("/spec")).isEqualTo(newJob().at("/spec"));
        });
        assertThat(api.intents()).isEmpty();
    }

    private JsonNode newJob() {
        return edit(live).newObject();
    }
}
