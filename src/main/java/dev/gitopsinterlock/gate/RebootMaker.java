package dev.gitopsinterlock.gate;

import java.time.Instant;
import java.util.Set;

/**
 * Something that restarts Nodes, and first writes into an object that it is about to. Says which change of which object
 * begins which rollout; whether that waits is the gate's to say. Thread-safe; answers from memory, so nothing blocks.
 */
public interface RebootMaker {

    /** Its stable name: rollouts remember by it whose they are. */
    String name();

    /** What it writes into first, as {@code group/version/Kind}. */
    Set<String> kinds();

    /** What the object would be sent to, for the log: a name, never a value that anybody could choose; may be empty. */
    String targetOf(ObjectChange change);

    /** Which rollout the change begins, or goes on with. */
    RolloutStart startedBy(ObjectChange change);

    /**
     * How a rollout of this maker stands.
     *
     * @param since when it was first refused
     */
    Progress progressOf(Rollout rollout, Instant since, Instant now);
}
