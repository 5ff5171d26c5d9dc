package dev.gitopsinterlock.guidance;

import java.time.Instant;
import java.util.List;

/**
 * A Node does not get its new configuration yet; whoever sends it there will try again.
 *
 * @param pool that the Node belongs to
 * @param syncs names of the Applications that are waited for; at least one
 * @param since when the rollout began
 * @param until when it goes on in any case
 */
public record RolloutHeld(String pool, List<String> syncs, Instant since, Instant until) implements Denial {

    public RolloutHeld {
        syncs = List.copyOf(syncs);
    }
}
