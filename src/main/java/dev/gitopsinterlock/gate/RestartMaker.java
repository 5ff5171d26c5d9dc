package dev.gitopsinterlock.gate;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Something that restarts Nodes, and first writes into an object that it is about to. Says which change of which object
 * begins which rollout; whether that waits is the gate's to say. Thread-safe; answers from memory, so nothing blocks.
 */
public interface RestartMaker {

    /** The stable name of this maker, by which rollouts remember whose they are. */
    String name();

    /** What it writes into first, as {@code group/version/Kind}. */
    Set<String> kinds();

    /** What the object would be sent to, for the log: a name, never a value that anybody could choose; may be empty. */
    String targetOf(ObjectChange change);

    /** Which rollout the change begins, or goes on with. */
    RolloutStart startedBy(ObjectChange change);

    /**
     * Whether the change can drain or restart the Node, or end what runs on it. Asked only about what would be held.
     *
     * @param objects what the cluster has at a path of its API; empty where that cannot be found out in time. Blocks.
     */
    default boolean interrupts(ObjectChange change, Function<String, Optional<JsonNode>> objects) {
        return true;
    }

    /**
     * How a rollout of this maker stands.
     *
     * @param since when it was first refused
     */
    Progress progressOf(Rollout rollout, Instant since, Instant now);

    /** What the service keeps in memory for it. */
    List<WatchedKind<?>> watches();

    /** What has to be known to tell of {@link #approaching} ones; the service itself need not. */
    default List<WatchedKind<?>> lists() {
        return watches();
    }

    /** The rollouts that have Nodes before them, for people who ask. */
    Stream<Approaching> approaching();

    /**
     * A rollout that has Nodes before it.
     *
     * @param rollout to all of them
     * @param to the same to one Node, as the cluster has it; empty where it is not about to reach that one
     */
    record Approaching(Rollout rollout, Function<JsonNode, Optional<Rollout>> to) {}
}
