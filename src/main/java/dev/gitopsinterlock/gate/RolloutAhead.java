package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.gate.Holder.Syncs;
import java.time.Instant;
import java.util.List;

/**
 * A change was admitted whose rollout will wait.
 *
 * @param pools that will roll it out; at least one
 * @param syncs that are waited for; at least one
 * @param latest when the rollout has begun in any case
 */
public record RolloutAhead(List<String> pools, Syncs syncs, Instant latest) implements Warning {

    public RolloutAhead {
        pools = List.copyOf(pools);
    }

    @Override
    public String text(GuidancePages pages) {
        return RolloutText.ahead(this.pools, syncs, latest);
    }
}
