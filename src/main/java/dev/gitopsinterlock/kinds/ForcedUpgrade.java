package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.GuardedKind.Advice;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldPath.Step;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Set;

/**
 * What Helm was told to replace: a PUT of the manifest, which takes away what others gave the object. Source: helm/helm,
 * pkg/kube/client.go, which all of these tools use; the API server fills in the uid only after it has asked.
 */
final class ForcedUpgrade {

    private static final GuidanceCode CODE = new GuidanceCode("HelmForceEdit");

    private static final Set<Tool> TOOLS = Set.of(Tool.HELM, Tool.TERRAFORM_HELM, Tool.FLUX_HELM_RELEASE, Tool.FLEET);

    private ForcedUpgrade() {}

    /** This advice, but for an edit that passes without the flag. */
    static Advice before(Advice usual) {
        return (change, refused) -> {
            var code = usual.of(change, refused);
            // of which it depends whether an edit is carried out
            return code.equals(GuidanceCode.STATEFUL_SET_PODS_EDIT) || !isWhatFails(change, refused) ? code : CODE;
        };
    }

    private static boolean isWhatFails(Change change, List<FieldPath> refused) {
        return TOOLS.contains(change.tool())
                && ObjectMeta.uid(change.after()).isEmpty()
                && !ObjectMeta.uid(change.before()).isEmpty()
                && refused.stream().allMatch(path -> isLeftOut(change.after(), path));
    }

    private static boolean isLeftOut(JsonNode object, FieldPath path) {
        var node = object;
        for (var step : path.steps()) {
            node = step instanceof Step.Index(var index) ? node.path(index) : node.path(step.name());
        }
        return node.isMissingNode();
    }
}
