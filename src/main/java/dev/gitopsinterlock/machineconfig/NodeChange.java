package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.policy.SyncHold;
import java.util.Map;
import java.util.Optional;

/**
 * The facts of one request about a Node.
 *
 * @param node its name
 * @param labels as it has them now
 * @param before its annotations as they are
 * @param after its annotations as they would be
 * @param user who asks
 * @param dryRun whether nothing will be stored
 */
public record NodeChange(
        String node,
        Map<String, String> labels,
        Map<String, String> before,
        Map<String, String> after,
        String user,
        boolean dryRun) {

    private static final String PREFIX = "machineconfiguration.openshift.io/";
    private static final String DESIRED_CONFIG = PREFIX + "desiredConfig";
    private static final String CURRENT_CONFIG = PREFIX + "currentConfig";
    private static final String DESIRED_IMAGE = PREFIX + "desiredImage";
    private static final String CURRENT_IMAGE = PREFIX + "currentImage";
    private static final String STATE = PREFIX + "state";

    public NodeChange {
        labels = Map.copyOf(labels);
        before = Map.copyOf(before);
        after = Map.copyOf(after);
    }

    public static NodeChange of(JsonNode before, JsonNode after, String user, boolean dryRun) {
        var known = before.path("metadata");
        return new NodeChange(
                known.path("name").asText(),
                Pool.texts(known.path("labels")),
                Pool.texts(known.path("annotations")),
                Pool.texts(after.path("metadata").path("annotations")),
                user,
                dryRun);
    }

    /** The rendered MachineConfig that the Node is to have; empty where it has none to go to. */
    public String target() {
        return after.getOrDefault(DESIRED_CONFIG, "");
    }

    /** Whether the Node would be sent to another configuration or image than before. */
    boolean changesTarget() {
        return changes(DESIRED_CONFIG) || changes(DESIRED_IMAGE);
    }

    private boolean changes(String annotation) {
        return !before.getOrDefault(annotation, "").equals(after.getOrDefault(annotation, ""));
    }

    /** Whether the Node runs already what it would be sent to, so that nothing is drained and nothing restarts. */
    boolean isThere() {
        return "Done".equals(before.get(STATE))
                && has(DESIRED_CONFIG, CURRENT_CONFIG)
                && has(DESIRED_IMAGE, CURRENT_IMAGE);
    }

    private boolean has(String desired, String current) {
        return after.getOrDefault(desired, "").equals(before.getOrDefault(current, ""));
    }

    /** What the Node's own annotation says, as written. */
    Optional<String> syncHold() {
        return Optional.ofNullable(before.get(SyncHold.SETTING.annotation()));
    }
}
