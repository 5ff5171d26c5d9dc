package dev.gitopsinterlock.cluster.rollouts;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.cache.ClusterWatch;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.gate.GateRoute;
import dev.gitopsinterlock.gate.GateRoute.Facts;
import dev.gitopsinterlock.gate.HoldMemory;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.gate.RestartMakers;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.machineconfig.ConfigRoute;
import dev.gitopsinterlock.machineconfig.MachineConfigController;
import dev.gitopsinterlock.makers.KnownMaker;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Registers the webhooks of the gate, and tells them of the cluster. */
@Singleton
final class RolloutWebhooks implements Facts {

    private final ClusterWatch cluster;
    private final RevisionAges revisions;
    private final MarkedJobs jobs;
    private final Interruptions interruptions;
    private final HoldMonitor holds;
    private final ProcessClock clock;

    RolloutWebhooks(
            ClusterWatch cluster,
            RevisionAges revisions,
            MarkedJobs jobs,
            Interruptions interruptions,
            HoldMonitor holds,
            ProcessClock clock) {
        this.jobs = jobs;
        this.interruptions = interruptions;
        this.clock = clock;
        this.cluster = cluster;
        this.revisions = revisions;
        this.holds = holds;
    }

    @Produces
    @Singleton
    static HoldMemory memory() {
        return new HoldMemory();
    }

    @Produces
    @Singleton
    static RestartMakers makers(Settings settings, ClusterWatch cluster) {
        return KnownMaker.of(settings.restartMakers(), cluster);
    }

    @Produces
    @Singleton
    GateRoute nodes(Settings settings, RestartMakers makers) {
        return new GateRoute(makers, settings.gate(), this);
    }

    @Produces
    @Singleton
    ConfigRoute configs(Settings settings, RestartMakers makers) {
        var controller = makers.get(MachineConfigController.class).orElseThrow();
        return new ConfigRoute(controller, settings.gate(), this);
    }

    @Override
    public Optional<List<RunningSync>> syncs() {
        return cluster.syncs();
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public Optional<Instant> created(String path, Duration patience) {
        return revisions.created(path, Deadline.in(clock, patience));
    }

    @Override
    public Optional<List<String>> jobsOn(String node, Duration patience) {
        return jobs.on(node, patience);
    }

    @Override
    public boolean interrupts(Rollout rollout, ObjectChange change, Duration patience) {
        return interruptions.canFollow(rollout, change, Deadline.in(clock, patience));
    }

    @Override
    public void release(Rollout rollout, Instant now) {
        holds.release(rollout, now);
    }

    @Override
    public Optional<Instant> heldSince(Rollout rollout) {
        return holds.since(rollout);
    }

    @Override
    public void refused(Caller caller, Rollout rollout, RolloutHeld held, Instant now) {
        holds.refused(caller, rollout, held, now);
    }

    @Override
    public void observed(Caller caller, Rollout rollout, RolloutHeld held, Instant now) {
        holds.observed(caller, rollout, held, now);
    }
}
