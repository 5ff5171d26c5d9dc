package dev.gitopsinterlock.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.guidance.ForceValue;
import dev.gitopsinterlock.guidance.KnownKeys;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Marks on an object of any kind that say nothing to the tool that they are meant for, which does not complain. */
public final class MarkLint {

    private static final KnownKeys OURS = new KnownKeys(
            "gitops-interlock",
            "gitops-interlock.dev",
            Set.of("gitops-interlock.io"),
            List.of(
                    "on-immutable-change",
                    "when-active",
                    "ttl-seconds-after-finished",
                    "generate-name",
                    "hold-restarts",
                    "check",
                    "check-reason"),
            Map.of(),
            Set.of(
                    "break-glass",
                    "intent",
                    "last-run",
                    "replaced",
                    "replacing",
                    "retriggered",
                    "run-of",
                    "sync-hold",
                    "would-be-refused",
                    "would-replace"),
            true);

    private static final KnownKeys HELMS = new KnownKeys(
            "Helm",
            "helm.sh",
            Set.of(),
            List.of("hook", "hook-weight", "hook-delete-policy", "hook-output-log-policy", "resource-policy"),
            Map.of(),
            Set.of("chart"),
            false);

    /** What recreates an object, by fluxcd/pkg/ssa, which Flux, the Flux Operator and Timoni use. */
    private static final List<String> FORCE =
            List.of("kustomize.toolkit.fluxcd.io/force", "fluxcd.controlplane.io/force", "action.timoni.sh/force");

    private MarkLint() {}

    /** Everything that is wrong with an object's labels and annotations. */
    public static List<Warning> of(JsonNode object) {
        var marks = new ToolMetadata(object);
        var annotations = ObjectMeta.texts(ObjectMeta.annotations(object)).keySet();
        var found = new ArrayList<Warning>(OURS.unknown(annotations));
        found.addAll(OURS.unknown(ObjectMeta.texts(ObjectMeta.labels(object)).keySet()));
        found.addAll(HELMS.unknown(annotations));
        FORCE.stream().filter(key -> isIgnored(marks, key)).map(ForceValue::new).forEach(found::add);
        return List.copyOf(found);
    }

    private static boolean isIgnored(ToolMetadata marks, String key) {
        var values = Stream.of(marks.label(key), marks.annotation(key))
                .filter(value -> !value.isEmpty())
                .toList();
        return !values.isEmpty()
                && values.stream()
                        .map(value -> value.toLowerCase(Locale.ROOT))
                        .noneMatch(Set.of("enabled", "disabled", "false")::contains);
    }
}
