package dev.gitopsinterlock.system.rollout;

import java.time.Duration;

/** One thing that somebody does. */
sealed interface Action {

    /** An action and how long after the one before. */
    record Step(Duration pause, Action action) {}

    /** Requested; Argo CD's controller has not noticed yet. */
    record RequestSync(String application) implements Action {}

    record BeginSync(String application) implements Action {}

    record EndSync(String application) implements Action {}

    /** Marked work begins on a Node. */
    record BeginJob(String name, String node) implements Action {}

    record EndJob(String name) implements Action {}

    /** Creates or changes a MachineConfig. */
    record Apply(String name, String role, String content) implements Action {}

    record Delete(String name) implements Action {}

    record Pause(String pool, boolean paused) implements Action {}

    /** Puts a worker into a custom pool, or back. */
    record Move(String node, String pool, boolean in) implements Action {}

    record RestartReplica(int number) implements Action {}

    record RestartController() implements Action {}
}
