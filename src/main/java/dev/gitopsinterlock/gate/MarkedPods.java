package dev.gitopsinterlock.gate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.PolicySettings;
import java.util.List;
import java.util.stream.Stream;

/** Pods that their Node waits for. */
public final class MarkedPods {

    /** On a Pod, so on the template of a Job. A label, because the API server finds Pods by these alone. */
    public static final String SELECTOR =
            PolicySettings.HOLD_RESTARTS.annotation() + "=" + HoldRestarts.ALL.configValue();

    private MarkedPods() {}

    /**
     * What people call them by: whose Pod it is, or the Pod itself, with kind and Namespace, each once, sorted.
     *
     * @param pods their metadata suffice; those that are being deleted are left out
     */
    public static List<String> owners(Stream<JsonNode> pods) {
        return pods.filter(pod -> !ObjectMeta.isTerminating(pod))
                .map(MarkedPods::owner)
                .distinct()
                .sorted()
                .toList();
    }

    private static String owner(JsonNode pod) {
        var owner = ObjectMeta.controller(pod);
        return "%s %s/%s"
                .formatted(
                        owner.map(each -> each.path("kind").asText()).orElse("Pod"),
                        ObjectMeta.namespace(pod),
                        owner.map(each -> each.path("name").asText()).orElseGet(() -> ObjectMeta.name(pod)));
    }
}
