package dev.gitopsinterlock.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.config.Settings.SelfManaged;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a webhook's trust is renewed while replicas and API servers still have the trust of before. */
class RenewalTest {

    private static final Instant BEGIN = Instant.parse("2026-11-24T00:00:00Z");

    private static final SelfManaged SETTINGS = settings(List.of("interlock.example.svc"), true);

    private final Renewal renewal = new Renewal(SETTINGS);

    static SelfManaged settings(List<String> hosts, boolean callerToken) {
        return new SelfManaged(
                "trust",
                hosts,
                List.of("mutatingwebhookconfigurations/zz"),
                Duration.ofHours(12),
                Duration.ofHours(48),
                Duration.ofHours(1),
                callerToken,
                Duration.ofHours(4));
    }

    @Test
    void fromNothingEverythingIsThereAtOnce() {
        var state = renewal.next(TrustState.EMPTY, BEGIN, false, true);

        assertThat(state.authorities()).hasSize(1);
        assertThat(state.signer()).isEqualTo(state.newest());
        assertThat(state.leaf()).hasValueSatisfying(leaf -> {
            assertThat(leaf.fits()).isTrue();
            assertThat(leaf.notAfter()).isEqualTo(BEGIN.plus(Duration.ofHours(12)));
        });
        assertThat(renewal.published(state, BEGIN)).isPresent();
    }

    @Test
    void whatIsNotDueStaysAsItIs() {
        var state = renewal.next(TrustState.EMPTY, BEGIN, true, true);

        assertThat(renewal.next(state, BEGIN.plus(Duration.ofHours(3)), true, true))
                .isEqualTo(state);
    }

    @Test
    void aLeafIsRenewedWhenAThirdOfItsTimeIsLeft() {
        var state = renewal.next(TrustState.EMPTY, BEGIN, true, true);

        var before = renewal.next(state, BEGIN.plus(Duration.ofHours(8)).minusSeconds(1), true, true);
        var after = renewal.next(state, BEGIN.plus(Duration.ofHours(8)), true, true);

        assertThat(before.leaf()).isEqualTo(state.leaf());
        assertThat(after.leaf()).isNotEqualTo(state.leaf());
        assertThat(after.authorities()).isEqualTo(state.authorities());
    }

    @Test
    void aNewCaSignsOnceItHasBeenTrustedForAWhile() {
        var state = renewal.next(TrustState.EMPTY, BEGIN, true, true);
        var due = BEGIN.plus(Duration.ofHours(32));

        var begun = renewal.next(state, due, true, true);
        var early = renewal.next(begun, due.plus(Duration.ofMinutes(59)), true, true);
        var unknown = renewal.next(begun, due.plus(Duration.ofHours(1)), false, true);
        var taken = renewal.next(begun, due.plus(Duration.ofHours(1)), true, true);

        assertThat(begun.authorities()).hasSize(2);
        assertThat(early.signer()).contains(state.authorities().getFirst());
        assertThat(unknown.signer()).contains(state.authorities().getFirst());
        assertThat(taken.signer()).isEqualTo(begun.newest());
        assertThat(taken.authorities()).hasSize(2);
        assertThat(renewal.next(taken, due.plus(Duration.ofHours(2)), true, true)
                        .authorities())
                .containsExactly(begun.newest().orElseThrow());
    }

    @Test
    void aLeafForOtherNamesIsReplaced() {
        var state = renewal.next(TrustState.EMPTY, BEGIN, true, true);
        var others = new Renewal(settings(List.of("other.example.svc", "127.0.0.1"), true));

        assertThat(others.next(state, BEGIN, true, true).leaf()).isNotEqualTo(state.leaf());
    }

    /** It may still be in the paths that Pods of before have written. */
    @Test
    void withoutTheSettingNoTokenIsPublishedAndNoneForgotten() {
        var without = new Renewal(settings(SETTINGS.hosts(), false));
        var before = renewal.next(TrustState.EMPTY, BEGIN, true, true);

        var state = without.next(before, BEGIN.plus(Duration.ofDays(1)), true, true);

        assertThat(state.tokens()).isEqualTo(before.tokens());
        assertThat(without.published(state, BEGIN)).isEmpty();
    }

    @Test
    void aTokenThatApiServersStillUseIsNotForgotten() {
        var state = renewal.next(TrustState.EMPTY, BEGIN, true, true);
        var first = state.tokens().getFirst();
        var second = renewal.next(state, BEGIN.plus(Duration.ofHours(4)), true, true);
        assertThat(second.tokens()).hasSize(2);

        var unknown = renewal.next(second, BEGIN.plus(Duration.ofHours(40)), true, false);
        var known = renewal.next(second, BEGIN.plus(Duration.ofHours(6)), true, true);

        assertThat(unknown.tokens()).isEqualTo(second.tokens());
        assertThat(known.tokens()).doesNotContain(first).hasSize(1);
    }

    @Test
    void whatIsDeletedAgainAndAgainGetsOneNewCaAtATime() {
        var state = renewal.next(TrustState.EMPTY, BEGIN, true, true);

        var once = renewal.renewed(state, BEGIN);
        var twice = renewal.renewed(once, BEGIN.plus(Duration.ofMinutes(5)));

        assertThat(once.authorities()).hasSize(2);
        assertThat(twice).isEqualTo(once);
    }

    @Test
    void aLeafThatEndsWithItsCaIsMadeOnce() {
        var state = renewal.next(TrustState.EMPTY, BEGIN, true, true);
        var late = BEGIN.plus(Duration.ofHours(46));

        var last = renewal.next(state, late, false, true);

        assertThat(last.leaf().orElseThrow().notAfter()).isEqualTo(BEGIN.plus(Duration.ofDays(2)));
        assertThat(renewal.next(last, late.plus(Duration.ofMinutes(1)), false, true))
                .isEqualTo(last);
    }

    @Test
    void whatIsWrittenDownIsReadAgain() {
        var state = renewal.renewed(renewal.next(TrustState.EMPTY, BEGIN, true, true), BEGIN);

        var read = TrustSecret.read(TrustSecret.write(state));

        assertThat(read.map(TrustSecret::write)).contains(TrustSecret.write(state));
        assertThat(read).map(TrustState::authorities).contains(state.authorities());
        assertThat(state.toString() + state.newest())
                .doesNotContain(state.tokens().getFirst().value());
    }

    /**
     * Replicas and API servers that are as late as half the overlap, for a week, with what is due and with Secrets that are
     * deleted: whatever replica is called by whatever API server, it is trusted, and the token is known.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void whoeverIsLateIsTrusted(long seed) {
        var random = new Random(seed);
        var state = renewal.next(TrustState.EMPTY, BEGIN, false, true);
        Deque<TrustState> history = new ArrayDeque<>(List.of(state));
        Deque<String> paths =
                new ArrayDeque<>(List.of(renewal.published(state, BEGIN).orElseThrow()));
        var step = Duration.ofMinutes(10);
        for (var now = BEGIN; now.isBefore(BEGIN.plus(Duration.ofDays(7))); now = now.plus(step)) {
            state = renewal.next(random.nextInt(200) == 0 ? renewal.renewed(state, now) : state, now, true, true);
            history.addLast(state);
            paths.addLast(renewal.published(state, now).orElseThrow());
            if (history.size() > 3) {
                history.removeFirst();
                paths.removeFirst();
            }
            for (var replica : history) {
                var leaf = replica.leaf().orElseThrow();
                assertThat(leaf.notBefore()).isBefore(now);
                assertThat(leaf.notAfter()).isAfter(now);
                for (var apiServer : history) {
                    assertThat(apiServer.authorities()).anyMatch(authority -> authority.issued(leaf.leaf()));
                }
                for (var path : paths) {
                    assertThat(replica.tokens()).extracting(CallerToken::value).contains(path);
                }
            }
        }
        assertThat(state.newest().orElseThrow().created()).isAfter(BEGIN.plus(Duration.ofDays(5)));
    }
}
