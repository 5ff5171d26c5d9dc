package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import java.time.Instant;
import java.util.List;

/**
 * A change was admitted whose rollout will wait.
 *
 * @param pools that will roll it out; at least one
 * @param syncs names of the Applications that are waited for; at least one
 * @param latest when the rollout has begun in any case
 */
public record RolloutAhead(List<String> pools, List<String> syncs, Instant latest) implements Warning {

    public RolloutAhead {
        pools = List.copyOf(pools);
        syncs = List.copyOf(syncs);
    }

    @Override
    public String text(GuidancePages pages) {
        return RolloutText.ahead(this.pools, syncs, latest);
    }
}
