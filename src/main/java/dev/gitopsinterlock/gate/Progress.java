package dev.gitopsinterlock.gate;

/** How a rollout stands that was refused, or would have been. */
public sealed interface Progress {

    /** Nobody knows. */
    record Unknown() implements Progress {}

    /** There is nothing any more that it could concern. */
    record Removed() implements Progress {}

    /** Another one has taken its place. */
    record Superseded() implements Progress {}

    /**
     * All Nodes have it.
     *
     * @param rollout as it is known now
     */
    record RolledOut(Rollout rollout) implements Progress {}

    /** A person stopped it. */
    record Paused() implements Progress {}

    /**
     * It goes on, or would.
     *
     * @param rollout as it is known now
     */
    record UnderWay(Rollout rollout) implements Progress {}

    /** Whether nothing of it is left to be held. */
    default boolean isOver() {
        return switch (this) {
            case Removed(), Superseded(), RolledOut(var _) -> true;
            case Unknown(), Paused(), UnderWay(var _) -> false;
        };
    }
}
