package dev.gitopsinterlock.effect;

import dev.gitopsinterlock.admission.Caller.ApiServer;
import java.time.Duration;

/** Carries edits out in the cluster. */
@FunctionalInterface
public interface EffectRunner {
    /**
     * Blocks. Never throws for what happens in the cluster; the outcome says whether anything was changed.
     *
     * @param caller proven to be the API server, which alone is obeyed
     * @param patience how long the API server waits for the answer
     */
    Outcome run(ApiServer caller, Effect effect, Duration patience);
}
