package dev.gitopsinterlock.gate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.Unauthenticated;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.RequestContext;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.gate.Gate.Closed;
import dev.gitopsinterlock.gate.Gate.Free;
import dev.gitopsinterlock.gate.Gate.Open;
import dev.gitopsinterlock.gate.Gate.Unsettled;
import dev.gitopsinterlock.gate.Holder.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The validating webhook for what a {@link RestartMaker} writes into: the gate. Only where a rollout is about to be held,
 * the cluster is asked what the change does to the Node and for the age of its revision, and only where a Node is about to be let
 * go for the marked Jobs on it.
 *
 * @param makers whose rollouts are held
 * @param policy of the gate
 * @param facts what is known of the cluster
 */
public record GateRoute(RestartMakers makers, GatePolicy policy, Facts facts)
        implements Route<ObjectChange, Unsettled> {

    /** What the gate is told of the cluster, and who is told of its holds. Thread-safe. */
    public interface Facts {

        /** All syncs that are running, counted or not; empty where that is not known. */
        Optional<List<RunningSync>> syncs();

        Instant now();

        /** When the object at this path of the API was made; empty where it cannot be found out in time. Blocks. */
        Optional<Instant> created(String path, Duration patience);

        /**
         * The marked Jobs that run on a Node, each with its kind and Namespace; empty where that cannot be found out in
         * time. Blocks.
         */
        Optional<List<String>> jobsOn(String node, Duration patience);

        /**
         * Whether the change, which begins this rollout, can interrupt what runs on the Node; true where that cannot be
         * found out in time. Blocks.
         */
        boolean interrupts(Rollout rollout, ObjectChange change, Duration patience);

        /** When this rollout was first refused, or would have been, as far as this replica remembers. */
        Optional<Instant> heldSince(Rollout rollout);

        /** To be told of every refusal. Returns at once. */
        void refused(Caller caller, Rollout rollout, RolloutHeld held, Instant now);

        /** To be told of every rollout whose Node no marked Job holds any more. Returns at once. */
        void release(Rollout rollout, Instant now);

        /** To be told of everything that would have been refused with these words. Returns at once. */
        void observed(Caller caller, Rollout rollout, RolloutHeld held, Instant now);
    }

    @Override
    public String path() {
        return "validate/nodes";
    }

    @Override
    public Set<String> kinds() {
        return makers.kinds();
    }

    @Override
    public ParseResult<ObjectChange> read(JsonNode request) {
        return ObjectReader.read(request);
    }

    @Override
    public Step<Unsettled> decide(ObjectChange change, RequestContext context) {
        if (context.caller() instanceof Unauthenticated) {
            return Step.answered(GateRule.allow(change, RolloutReason.UNTRUSTED));
        }
        return switch (GateRule.look(change, makers, facts.syncs(), policy, facts.now())) {
            case Open(var reason) -> Step.answered(GateRule.allow(change, reason));
            case Unsettled unsettled -> new Ask<>(unsettled);
        };
    }

    @Override
    public Decision conclude(ObjectChange change, Unsettled unsettled, RequestContext context) {
        return switch (unsettled) {
            case Closed closed -> conclude(change, closed, context);
            case Free(var rollout, var observed, var isObserved) ->
                jobsOn(rollout.node(), context)
                        .map(jobs -> jobs.isEmpty()
                                ? release(change, rollout, observed, context)
                                : conclude(change, new Closed(rollout, new Jobs(jobs), isObserved), context))
                        .orElseGet(() -> GateRule.allow(change, RolloutReason.UNKNOWN_JOBS));
        };
    }

    private Optional<List<String>> jobsOn(String node, RequestContext context) {
        return node.isEmpty()
                ? Optional.of(List.of())
                : facts.jobsOn(node, context.deadline().remaining());
    }

    private Decision release(ObjectChange change, Rollout rollout, Optional<Closed> observed, RequestContext context) {
        facts.release(rollout, facts.now());
        return observed.map(closed -> conclude(change, closed, context))
                .orElseGet(() -> GateRule.allow(change, RolloutReason.NO_SYNC));
    }

    private Decision conclude(ObjectChange change, Closed closed, RequestContext context) {
        var rollout = closed.rollout();
        var created = rollout.evidence()
                .revision()
                .flatMap(path -> facts.created(path, context.deadline().remaining()));
        if (policy.sparesHarmless()
                && created.isPresent()
                && !facts.interrupts(rollout, change, context.deadline().remaining())) {
            return GateRule.allow(change, RolloutReason.RESTARTS_NOTHING);
        }
        var since = facts.heldSince(rollout);
        var now = facts.now();
        var decision = GateRule.conclude(change, closed, created, since, policy, now);
        if (decision.verdict() instanceof Deny(RolloutHeld held)) {
            facts.refused(context.caller(), rollout, held, now);
        }
        if (closed.isObserved()) {
            created.flatMap(made -> GateRule.held(closed, made, since, policy, now))
                    .ifPresent(held -> facts.observed(context.caller(), rollout, held, now));
        }
        return decision;
    }

    @Override
    public List<Fact> about(ObjectChange change) {
        return List.of(
                new Fact(change.kindName().toLowerCase(Locale.ROOT), change.name()),
                new Fact("target", makers.targetOf(change)),
                new Fact("dryRun", String.valueOf(change.dryRun())));
    }

    /** People want to know why a Node moved. */
    @Override
    public boolean isLogged() {
        return true;
    }
}
