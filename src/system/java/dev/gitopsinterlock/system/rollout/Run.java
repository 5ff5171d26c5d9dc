package dev.gitopsinterlock.system.rollout;

import dev.gitopsinterlock.system.rollout.Action.Step;
import dev.gitopsinterlock.system.rollout.Jobs.Work;
import dev.gitopsinterlock.system.rollout.NodePatches.NodePatch;
import dev.gitopsinterlock.system.rollout.Syncs.Sync;
import dev.gitopsinterlock.system.rollout.Witness.Assignment;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** One plan, carried out and judged. */
final class Run {

    private final ControlPlane controlPlane;
    private final Optional<Replicas> replicas;
    private final Plan plan;

    Run(ControlPlane controlPlane, Optional<Replicas> replicas, long seed) {
        this.controlPlane = controlPlane;
        this.replicas = replicas;
        this.plan = Plan.draw(seed);
    }

    Findings run() {
        var begin = Instant.now();
        var openShift = OpenShift.on(controlPlane);
        var syncs = new Syncs(controlPlane, replicas);
        var jobs = new Jobs(controlPlane);
        try (var stage = new Stage(controlPlane, syncs, jobs, plan);
                var witness = new Witness(controlPlane.admin(), openShift)) {
            stage.set();
            follow(stage);
            stage.awaitSettled();
            witness.catchUp();
            return judge(stage, syncs.counted(), jobs.ended(), witness, NodePatches.since(controlPlane, begin), begin);
        }
    }

    private void follow(Stage stage) {
        try (var threads = Executors.newCachedThreadPool()) {
            var ends = plan.lanes().stream()
                    .map(lane -> start(lane, stage, threads))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(ends).join();
        }
    }

    /** Each step comes its while after the one before has ended. */
    private static CompletableFuture<?> start(List<Step> lane, Stage stage, ExecutorService threads) {
        var end = CompletableFuture.<Void>completedFuture(null);
        for (var step : lane) {
            end = end.thenRunAsync(
                    () -> stage.act(step.action()),
                    CompletableFuture.delayedExecutor(step.pause().toMillis(), TimeUnit.MILLISECONDS, threads));
        }
        return end;
    }

    private Findings judge(
            Stage stage, List<Sync> syncs, List<Work> jobs, Witness witness, NodePatches patches, Instant begin) {
        var within = 0;
        var withinJobs = 0;
        var afterLimit = 0;
        var faults = new ArrayList<String>();
        for (var assigned : witness.assigned()) {
            var around = syncs.stream()
                    .filter(sync ->
                            sync.covers(assigned.revision()) && !patches.anyUnderWay(assigned.node(), sync.known()))
                    .toList();
            var beside = jobs.stream()
                    .filter(job -> job.covers(assigned.node(), assigned.revision())
                            && !patches.anyUnderWay(assigned.node(), job.known()))
                    .toList();
            if (around.isEmpty() && beside.isEmpty()) {
                continue;
            }
            within += around.isEmpty() ? 0 : 1;
            withinJobs += beside.isEmpty() ? 0 : 1;
            var limit = limit(assigned, witness, patches);
            if (limit.filter(time -> !assigned.seen().isBefore(time)).isPresent()) {
                afterLimit++;
            } else if (replicas.isPresent()) {
                faults.add(
                        "seed %d: %s within %s %s, limit %s".formatted(plan.seed(), assigned, around, beside, limit));
            }
        }
        for (var refusal : patches.refused()) {
            if (isLate(refusal, witness)) {
                faults.add("seed %d: %s after its limit".formatted(plan.seed(), refusal));
            }
        }
        return new Findings(
                plan.seed(),
                plan.nodes().size(),
                witness.assigned().size(),
                within,
                withinJobs,
                afterLimit,
                patches.refused().size(),
                stage.changes().size(),
                (int) stage.changes().stream()
                        .filter(change -> syncs.stream().anyMatch(sync -> sync.covers(change)))
                        .count(),
                longestHold(witness.assigned(), patches.refused()),
                Duration.between(begin, Instant.now()),
                faults);
    }

    /**
     * Until when the rollout may be held: by the pool as it was when the node was assigned, or as it was at any refusal of
     * the same rollout, which is earlier where the pool was paused or had another target meanwhile: a replica remembers the
     * first refusal for twice the limit. Or by another pool that the node was moved to, or from, just then. None for a pool
     * that is not updating yet.
     */
    private static Optional<Instant> limit(Assignment assigned, Witness witness, NodePatches patches) {
        var pool = witness.poolOf(assigned.target());
        var states = witness.statesWithTarget(pool, assigned);
        if (states.isEmpty()) {
            return Optional.empty();
        }
        var last = states.getLast();
        var maxHold = Limits.maxHold(last.isRequiredForUpgrade());
        var refusals = patches.refused().stream()
                .filter(refusal -> refusal.received().isAfter(assigned.seen().minus(maxHold.multipliedBy(2)))
                        && refusal.received().isBefore(assigned.seen())
                        && witness.statesBetween(pool, refusal.received(), refusal.answered()).stream()
                                .anyMatch(state -> state.target().equals(assigned.target()))
                        && witness.poolsOf(refusal.node(), refusal.received(), refusal.answered())
                                .contains(pool))
                .toList();
        var begins =
                new ArrayList<>(witness.begin(last, assigned.target()).stream().toList());
        if (!refusals.isEmpty()) {
            begins.add(refusals.getFirst().received());
            states.stream()
                    .filter(state -> state.seen().isBefore(refusals.getLast().answered()))
                    .flatMap(state -> witness.begin(state, assigned.target()).stream())
                    .forEach(begins::add);
        }
        var justBefore = assigned.seen().minusSeconds(1);
        witness.poolsOf(assigned.node(), justBefore, assigned.seen()).stream()
                .filter(other -> !other.equals(pool))
                .flatMap(other -> witness.statesBetween(other, justBefore, assigned.seen()).stream())
                .flatMap(state -> witness.begin(state, assigned.target()).stream())
                .forEach(begins::add);
        return begins.stream().min(Comparator.naturalOrder()).map(begin -> begin.plus(maxHold));
    }

    /** Whether every rollout that the refusal may have been about had lasted too long by far. */
    private static boolean isLate(NodePatch refusal, Witness witness) {
        var first = refusal.received().minusSeconds(1);
        var last = refusal.answered().plusSeconds(1);
        var states = witness.poolsOf(refusal.node(), first, last).stream()
                .flatMap(pool -> witness.statesBetween(pool, first, last).stream())
                .toList();
        return !states.isEmpty()
                && states.stream()
                        .allMatch(state -> witness.begin(state, state.target())
                                .map(begin -> begin.plus(Limits.maxHold(state.isRequiredForUpgrade())))
                                .filter(limit -> refusal.received().isAfter(limit.plus(Limits.SLACK)))
                                .isPresent());
    }

    private static Duration longestHold(List<Assignment> assigned, List<NodePatch> refusals) {
        var before = new HashMap<String, Instant>();
        var longest = Duration.ZERO;
        for (var next : assigned.stream()
                .sorted(Comparator.comparingLong(Assignment::revision))
                .toList()) {
            var since =
                    Optional.ofNullable(before.put(next.node(), next.seen())).orElse(Instant.MIN);
            var hold = refusals.stream()
                    .filter(refusal -> refusal.node().equals(next.node())
                            && refusal.received().isAfter(since)
                            && refusal.received().isBefore(next.seen()))
                    .map(NodePatch::received)
                    .min(Comparator.naturalOrder())
                    .map(first -> Duration.between(first, next.seen()))
                    .orElse(Duration.ZERO);
            longest = hold.compareTo(longest) > 0 ? hold : longest;
        }
        return longest;
    }
}
