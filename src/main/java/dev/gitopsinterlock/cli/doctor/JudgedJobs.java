package dev.gitopsinterlock.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.machineconfig.LabelSelector;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * About which Jobs the API server asks.
 *
 * @param webhook as it is registered; anything else selects all but those of the cluster itself
 * @param labelsOf a Namespace
 */
record JudgedJobs(JsonNode webhook, Function<String, Map<String, String>> labelsOf) implements Predicate<JsonNode> {

    private static final String NAME = "kubernetes.io/metadata.name";

    @Override
    public boolean test(JsonNode job) {
        var namespace = ObjectMeta.namespace(job);
        return !namespace.equals("kube-system")
                && selects(webhook.path("objectSelector"), ObjectMeta.texts(ObjectMeta.labels(job)))
                && selects(webhook.path("namespaceSelector"), labelsOfNamespace(namespace));
    }

    private Map<String, String> labelsOfNamespace(String namespace) {
        var labels = new HashMap<>(labelsOf.apply(namespace));
        labels.put(NAME, namespace);
        return labels;
    }

    private static boolean selects(JsonNode selector, Map<String, String> labels) {
        var parsed = LabelSelector.of(selector);
        return parsed.requirements().isEmpty() || parsed.selects(labels);
    }
}
