package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.Stranger;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.admission.Verdict.Reason;
import dev.gitopsinterlock.cluster.ClusterWatch;
import dev.gitopsinterlock.cluster.Deadline;
import dev.gitopsinterlock.cluster.Holds;
import dev.gitopsinterlock.cluster.RenderedConfigAges;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.guidance.RolloutHeld;
import dev.gitopsinterlock.machineconfig.ConfigAdviceRule;
import dev.gitopsinterlock.machineconfig.Gate.Closed;
import dev.gitopsinterlock.machineconfig.Gate.Open;
import dev.gitopsinterlock.machineconfig.GatePolicy;
import dev.gitopsinterlock.machineconfig.NodeChange;
import dev.gitopsinterlock.machineconfig.NodeGateRule;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * What the API server asks about MachineConfigs and the Nodes that take them. Answers from memory alone; only where a
 * Node is about to be held, the age of its target is asked for, on a thread of its own.
 */
@Path("/")
@Consumes(MediaType.APPLICATION_JSON)
@NonBlocking
public final class MachineConfigResource {

    private final GatePolicy policy;
    private final ClusterWatch cluster;
    private final RenderedConfigAges targets;
    private final Holds holds;
    private final ReviewHandler reviews;
    private final InstantSource clock = InstantSource.system();
    private final Executor waiting = Executors.newVirtualThreadPerTaskExecutor();

    MachineConfigResource(
            Settings settings, ClusterWatch cluster, RenderedConfigAges targets, Holds holds, ReviewHandler reviews) {
        this.policy = settings.gate();
        this.cluster = cluster;
        this.targets = targets;
        this.holds = holds;
        this.reviews = reviews;
    }

    /** For the gate on Nodes. */
    @POST
    @Path("validate/nodes")
    public CompletionStage<Response> validateNodes(@Context RoutingContext request) {
        return reviews.answer(
                Subject.NODE, request, (change, asking) -> judge(change, asking.caller(), asking.deadline()));
    }

    /** For the advice beside a change that pools will roll out: nothing is done whoever asks. */
    @POST
    @Path("validate/machineconfigs")
    public CompletionStage<Response> validateMachineConfigs(@Context RoutingContext request) {
        return reviews.answer(
                Subject.CONFIG,
                request,
                (change, asking) -> CompletableFuture.completedStage(
                        ConfigAdviceRule.decide(change, cluster.view(), policy, clock.instant())));
    }

    private CompletionStage<Decision> judge(NodeChange change, Caller caller, Deadline deadline) {
        if (caller instanceof Stranger) {
            return CompletableFuture.completedStage(NodeGateRule.allow(change, Reason.UNTRUSTED));
        }
        return switch (NodeGateRule.look(change, cluster.view(), policy, clock.instant())) {
            case Open(var reason) -> CompletableFuture.completedStage(NodeGateRule.allow(change, reason));
            case Closed closed ->
                CompletableFuture.supplyAsync(() -> conclude(change, caller, closed, deadline), waiting);
        };
    }

    private Decision conclude(NodeChange change, Caller caller, Closed closed, Deadline deadline) {
        var created = targets.created(change.target(), deadline);
        var since = holds.since(closed.pool(), change.target());
        var decision = NodeGateRule.conclude(change, closed, created, since, policy, clock.instant());
        if (decision.verdict() instanceof Deny(RolloutHeld held)) {
            holds.refused(caller, closed.pool(), change.target(), held, clock.instant());
        }
        return decision;
    }
}
