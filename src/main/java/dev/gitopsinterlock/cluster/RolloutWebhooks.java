package dev.gitopsinterlock.cluster;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.machineconfig.ClusterView;
import dev.gitopsinterlock.machineconfig.ConfigRoute;
import dev.gitopsinterlock.machineconfig.NodeRoute;
import dev.gitopsinterlock.machineconfig.NodeRoute.Facts;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.machineconfig.RolloutHeld;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Registers the webhooks of the gate, and tells them of the cluster. */
@Singleton
final class RolloutWebhooks implements Facts {

    private final ClusterWatch cluster;
    private final RenderedConfigAges targets;
    private final HoldMonitor holds;

    RolloutWebhooks(ClusterWatch cluster, RenderedConfigAges targets, HoldMonitor holds) {
        this.cluster = cluster;
        this.targets = targets;
        this.holds = holds;
    }

    @Produces
    @Singleton
    NodeRoute nodes(Settings settings) {
        return new NodeRoute(settings.gate(), this);
    }

    @Produces
    @Singleton
    ConfigRoute configs(Settings settings) {
        return new ConfigRoute(settings.gate(), this);
    }

    @Override
    public ClusterView view() {
        return cluster.view();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Optional<Instant> created(String target, Duration patience) {
        return targets.created(target, Deadline.in(patience));
    }

    @Override
    public Optional<Instant> heldSince(Pool pool, String target) {
        return holds.since(pool, target);
    }

    @Override
    public void refused(Caller caller, Pool pool, String target, RolloutHeld held, Instant now) {
        holds.refused(caller, pool, target, held, now);
    }
}
