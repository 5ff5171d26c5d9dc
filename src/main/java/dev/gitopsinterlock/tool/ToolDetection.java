package dev.gitopsinterlock.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which tool sent a request, and which one an object belongs to: the first whose profile fits. All of it can be what the
 * client says it is, so this chooses words, and whether a new Job gets a TTL or a generated name; it grants nothing.
 */
public final class ToolDetection {

    private ToolDetection() {}

    /** Never fails: what no profile fits is {@link Tool#UNKNOWN}. */
    public static Tool requester(Sender sender) {
        return Arrays.stream(Tool.values())
                .filter(tool -> tool.profile().signs().stream()
                        .anyMatch(sign -> sign.fits().test(sender)))
                .findFirst()
                .orElse(Tool.UNKNOWN);
    }

    /**
     * The tool that the object's source lives in. A chart's own {@code app.kubernetes.io} labels prove nothing and are
     * not looked at.
     */
    public static Optional<Tool> owner(ToolMetadata object) {
        return Tool.OWNERS.stream()
                .filter(tool -> tool.profile()
                        .ownership()
                        .filter(ownership -> ownership.mark().isOn().test(object))
                        .isPresent())
                .findFirst();
    }

    /**
     * What the marks in a manifest say of the tool that it is on its way to: those of a GitOps tool before those of a chart, which
     * any of them may render. Never fails; {@link Tool#UNKNOWN} where nothing tells.
     */
    public static Tool deployer(JsonNode manifest) {
        var marks = new ToolMetadata(manifest);
        return first(tool -> tool.delivery().shows().test(marks))
                .or(() -> owner(marks))
                .or(() -> first(tool -> tool.delivery().mayShow().test(marks)))
                .orElse(Tool.UNKNOWN);
    }

    private static Optional<Tool> first(Predicate<Tool> which) {
        return Arrays.stream(Tool.values()).filter(which).findFirst();
    }

    /** Whether a label or annotation lets some tool take an object for its own. */
    public static boolean isMark(String key) {
        var slash = key.indexOf('/');
        return slash > 0
                && Arrays.stream(Tool.values())
                        .map(tool -> tool.profile().claims())
                        .anyMatch(claims -> claims.contains(key) || claims.contains(key.substring(0, slash)));
    }
}
