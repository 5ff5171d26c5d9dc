package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyRoomTest {

    private final BodyRoom room = new BodyRoom(100);
    private final List<String> calls = new ArrayList<>();

    @Test
    void whatIsNotSentTakesNoRoom() {
        for (int i = 0; i < 1000; i++) {
            enter("slow " + i, false);
        }

        enter("a", false).add(100);

        assertThat(calls).isEmpty();
    }

    @Test
    void aBodyIsReadToItsEndWhateverOthersHold() {
        enter("stalled", false).add(100);
        var a = enter("a", false);
        a.add(10);

        a.add(1000);

        assertThat(calls).containsExactly("pause a", "resume a");
    }

    @Test
    void theOthersWaitUntilItIsReleased() {
        enter("stalled", false).add(100);
        var a = enter("a", false);
        a.add(10);
        enter("b", false).add(10);
        assertThat(calls).containsExactly("pause a", "resume a", "pause b");

        a.release();

        assertThat(calls).containsExactly("pause a", "resume a", "pause b", "resume b");
    }

    @Test
    void allGoOnOnceThereIsRoom() {
        var large = enter("large", false);
        large.add(100);
        for (var name : List.of("a", "b", "c")) {
            enter(name, false).add(1);
        }
        calls.clear();

        large.release();

        assertThat(calls).containsExactly("resume b", "resume c");
        assertThat(room.held()).isEqualTo(3);
    }

    @Test
    void theApiServersGoFirst() {
        enter("stalled", false).add(100);
        var a = enter("a", true);
        a.add(1);
        enter("b", false).add(1);
        enter("api server", true).add(1);
        calls.clear();

        a.release();

        assertThat(calls).containsExactly("resume api server");
    }

    @Test
    void anApiServerWaitsForNoStranger() {
        enter("stalled", false).add(100);
        var stranger = enter("stranger", false);
        stranger.add(1);
        calls.clear();

        enter("api server", true).add(1);
        assertThat(calls).containsExactly("pause api server", "resume api server");
        assertThat(stranger.isBlocking()).isFalse();

        stranger.add(1);
        enter("another api server", true).add(1);
        assertThat(calls)
                .containsExactly("pause api server", "resume api server", "pause stranger", "pause another api server");
    }

    @Test
    void oneStrangerAtATimeIsPutAside() {
        enter("stalled", false).add(100);
        var first = enter("first stranger", false);
        first.add(1);
        var apiServer = enter("api server", true);
        apiServer.add(1);
        first.add(1);
        enter("second stranger", false).add(1);
        calls.clear();

        apiServer.release();
        assertThat(calls).containsExactly("resume first stranger");

        var another = enter("another api server", true);
        another.add(1);
        first.add(1);
        another.release();
        assertThat(calls)
                .containsExactly(
                        "resume first stranger",
                        "pause another api server",
                        "resume another api server",
                        "pause first stranger",
                        "resume first stranger");

        first.release();
        assertThat(calls).endsWith("resume second stranger");
    }

    @Test
    void whoeverLeavesTheQueueIsForgotten() {
        enter("stalled", false).add(100);
        var a = enter("a", false);
        a.add(1);
        var b = enter("b", false);
        b.add(1);
        b.release();
        b.release();
        calls.clear();

        a.release();

        assertThat(calls).isEmpty();
        assertThat(room.held()).isEqualTo(100);
        assertThat(room.waiting()).isZero();
    }

    @Test
    void theOneThatOthersWaitForIsInTheWay() {
        enter("stalled", false).add(100);
        var prioritized = enter("prioritized", false);
        prioritized.add(1);
        assertThat(prioritized.isBlocking()).isFalse();

        var waiting = enter("waiting", false);
        waiting.add(1);

        assertThat(prioritized.isBlocking()).isTrue();
        assertThat(waiting.isBlocking()).isFalse();
    }

    private BodyRoom.Place enter(String name, boolean isPreferred) {
        return room.enter(isPreferred, () -> calls.add("pause " + name), () -> calls.add("resume " + name));
    }
}
