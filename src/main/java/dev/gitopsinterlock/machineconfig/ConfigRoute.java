package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.RequestContext;
import dev.gitopsinterlock.admission.Route;
import dev.gitopsinterlock.admission.Step;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.GateRoute.Facts;
import dev.gitopsinterlock.machineconfig.ConfigChange.Kind;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The validating webhook for what pools are made of: advice beside a change that they will roll out. Nothing is done,
 * whoever asks.
 *
 * @param controller whose pools roll it out
 * @param policy of the gate
 * @param facts what is known of the cluster
 */
public record ConfigRoute(MachineConfigController controller, GatePolicy policy, Facts facts)
        implements Route<ConfigChange, Void> {

    private static final Set<String> KINDS =
            Stream.of(Kind.values()).map(Kind::groupVersionKind).collect(Collectors.toUnmodifiableSet());

    @Override
    public String path() {
        return "validate/machineconfigs";
    }

    @Override
    public Set<String> kinds() {
        return KINDS;
    }

    @Override
    public ParseResult<ConfigChange> read(JsonNode request) {
        return ConfigReader.read(request);
    }

    @Override
    public Step<Void> decide(ConfigChange change, RequestContext context) {
        return Step.answered(ConfigAdviceRule.decide(change, controller, facts.syncs(), policy, facts.now()));
    }

    @Override
    public List<Fact> about(ConfigChange change) {
        return List.of(
                new Fact("kind", change.kind().label()),
                new Fact("name", change.name()),
                new Fact("operation", change.operation().toString()));
    }
}
