package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Asking;
import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.Stranger;
import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.admission.Step.Ask;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.machineconfig.Gate.Closed;
import dev.gitopsinterlock.machineconfig.Gate.Open;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The validating webhook for Nodes: the gate. Only where a Node is about to be held, the cluster is asked for the age of
 * its target.
 *
 * @param policy of the gate
 * @param facts what is known of the cluster
 */
public record NodeRoute(GatePolicy policy, Facts facts) implements Route<NodeChange, Closed> {

    private static final Set<String> KINDS = Set.of("/v1/Node");
    private static final Pattern NAME = Pattern.compile("[a-z0-9]?[a-z0-9.-]{0,252}");

    /** What the gate is told of the cluster, and who is told of its holds. Thread-safe. */
    public interface Facts {
        ClusterView view();

        Instant now();

        /** When a rendered configuration was made; empty where it cannot be found out in time. Blocks. */
        Optional<Instant> created(String target, Duration patience);

        /** When this rollout was first refused, as far as this replica remembers. */
        Optional<Instant> heldSince(Pool pool, String target);

        /** To be told of every refusal. Returns at once. */
        void refused(Caller caller, Pool pool, String target, RolloutHeld held, Instant now);
    }

    @Override
    public String path() {
        return "validate/nodes";
    }

    @Override
    public Set<String> kinds() {
        return KINDS;
    }

    @Override
    public ParseResult<NodeChange> read(JsonNode request) {
        return NodeReader.read(request);
    }

    @Override
    public Step<Closed> decide(NodeChange change, Asking asking) {
        if (asking.caller() instanceof Stranger) {
            return Step.answered(NodeGateRule.allow(change, RolloutReason.UNTRUSTED));
        }
        return switch (NodeGateRule.look(change, facts.view(), policy, facts.now())) {
            case Open(var reason) -> Step.answered(NodeGateRule.allow(change, reason));
            case Closed closed -> new Ask<>(closed);
        };
    }

    @Override
    public Decision conclude(NodeChange change, Closed closed, Asking asking) {
        var created = facts.created(change.target(), asking.patience().remaining());
        var since = facts.heldSince(closed.pool(), change.target());
        var now = facts.now();
        var decision = NodeGateRule.conclude(change, closed, created, since, policy, now);
        if (decision.verdict() instanceof Deny(RolloutHeld held)) {
            facts.refused(asking.caller(), closed.pool(), change.target(), held, now);
        }
        return decision;
    }

    /** A target is the value of an annotation: a caller that nobody knows could write lines of its own into the log. */
    @Override
    public String about(NodeChange change) {
        var target = NAME.matcher(change.target()).matches() ? change.target() : "unprintable";
        return "node=%s target=%s dryRun=%s".formatted(change.node(), target, change.dryRun());
    }

    /** People want to know why a Node moved. */
    @Override
    public boolean isLogged() {
        return true;
    }
}
