package dev.gitopsinterlock.machineconfig;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a change of a Node's rendered MachineConfig does to the Node, by the cluster's NodeDisruptionPolicy. The rule is the
 * machine-config daemon's (openshift/machine-config-operator, commit 7ff337a4, pkg/daemon/update.go), which restarts a Node for
 * whatever no policy names. Contents are compared, and nothing of them is kept: they hold the cluster's pull secret.
 */
final class NodeDisruption {

    /** All that neither drains nor restarts. {@code Special} may drain, by the contents of registries.conf. */
    private static final Set<String> HARMLESS = Set.of("None", "Reload", "Restart", "DaemonReload");

    /** An absolute path that means nothing else than it says. */
    private static final Pattern PLAIN = Pattern.compile("(/(?![.]{1,2}(/|$))[^/]+)+");

    private NodeDisruption() {}

    /**
     * Whether it is certain that the Node is neither drained nor restarted.
     *
     * @param before the rendered MachineConfig that the Node has
     * @param after the one that it is sent to
     * @param configuration the cluster's MachineConfiguration
     */
    static boolean isNone(JsonNode before, JsonNode after, JsonNode configuration) {
        var policies = configuration.at("/status/nodeDisruptionPolicyStatus/clusterPolicies");
        return policies.isObject()
                && isUpToDate(configuration)
                && withoutConfigured(before).equals(withoutConfigured(after))
                && actions(before.at("/spec/config"), after.at("/spec/config"), policies)
                        .allMatch(HARMLESS::contains);
    }

    private static boolean isUpToDate(JsonNode configuration) {
        return configuration.at("/metadata/generation").equals(configuration.at("/status/observedGeneration"));
    }

    /** The spec without what policies are about: whatever else differs may restart the Node. */
    private static JsonNode withoutConfigured(JsonNode config) {
        var rest = config.path("spec").deepCopy();
        if (rest.path("config") instanceof ObjectNode ignition) {
            ignition.remove("passwd");
            remove(ignition, "storage", "files");
            remove(ignition, "systemd", "units");
        }
        return rest;
    }

    private static void remove(JsonNode ignition, String section, String list) {
        if (ignition.path(section) instanceof ObjectNode object) {
            object.remove(list);
        }
    }

    private static Stream<String> actions(JsonNode before, JsonNode after, JsonNode policies) {
        var files = changed(before.at("/storage/files"), after.at("/storage/files"), "path").stream()
                .flatMap(path -> actionsOf(fileAt(path, policies.path("files"))));
        var units = changed(before.at("/systemd/units"), after.at("/systemd/units"), "name").stream()
                .flatMap(name -> actionsOf(unit(name, policies.path("units"))));
        var keys = before.path("passwd").equals(after.path("passwd"))
                ? Stream.<String>empty()
                : types(policies.path("sshkey"));
        return Stream.of(files, units, keys).flatMap(actions -> actions);
    }

    /** The keys of what was added, removed or changed. */
    private static Set<String> changed(JsonNode before, JsonNode after, String key) {
        var old = byKey(before, key);
        var changed = byKey(after, key);
        var all = new HashSet<>(old.keySet());
        all.addAll(changed.keySet());
        all.removeIf(each -> Objects.equals(old.get(each), changed.get(each)));
        return all;
    }

    private static Map<String, JsonNode> byKey(JsonNode list, String key) {
        return list.valueStream()
                .collect(toMap(each -> each.path(key).asText(), Function.identity(), (_, last) -> last));
    }

    private static Stream<String> actionsOf(Optional<JsonNode> policy) {
        return policy.map(NodeDisruption::types).orElseGet(() -> Stream.of("Reboot"));
    }

    private static Stream<String> types(JsonNode policy) {
        return policy.path("actions")
                .valueStream()
                .map(action -> action.path("type").asText());
    }

    /** The longest path that is the file's own or that of a folder around it; empty where a path is not plain. */
    private static Optional<JsonNode> fileAt(String path, JsonNode policies) {
        if (!PLAIN.matcher(path).matches() || !policies.valueStream().allMatch(NodeDisruption::isPlain)) {
            return Optional.empty();
        }
        return policies.valueStream()
                .filter(policy -> contains(policy.path("path").asText(), path))
                .max(Comparator.comparingInt(
                        policy -> policy.path("path").asText().length()));
    }

    private static boolean isPlain(JsonNode policy) {
        return PLAIN.matcher(withoutSlash(policy.path("path").asText())).matches();
    }

    private static boolean contains(String folder, String path) {
        return path.equals(folder) || path.startsWith(withoutSlash(folder) + "/");
    }

    private static String withoutSlash(String folder) {
        return folder.endsWith("/") ? folder.substring(0, folder.length() - 1) : folder;
    }

    private static Optional<JsonNode> unit(String name, JsonNode policies) {
        return policies.valueStream()
                .filter(policy -> policy.path("name").asText().equals(name))
                .findFirst();
    }
}
