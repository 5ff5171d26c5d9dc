package dev.gitopsinterlock.job;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.GeneratedName;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.patch.PatchBuilder;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the API server puts into a Job on CREATE: its selector, and labels that tie Pods to the Job. */
public final class GeneratedFields {

    private static final JsonPointer SPEC = PatchBuilder.at("spec");
    private static final JsonPointer TEMPLATE = PatchBuilder.at("spec", "template");
    static final JsonPointer SELECTOR = PatchBuilder.at("spec", "selector");

    private static final List<String> LABELS =
            List.of("batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name", "controller-uid", "job-name");

    private static final JsonPointer MANUAL_SELECTOR = PatchBuilder.at("spec", "manualSelector");
    private static final JsonPointer SUSPEND = PatchBuilder.at("spec", "suspend");
    private static final String KUEUE_QUEUE = "kueue.x-k8s.io/queue-name";

    private static final Set<String> PATHS = Stream.concat(
                    Stream.of("spec.selector"),
                    LABELS.stream().map(label -> "spec.template.metadata.labels[" + label + "]"))
            .collect(Collectors.toUnmodifiableSet());

    private GeneratedFields() {}

    /** A manifest that was PUT: only the API server can have made the selector that it lacks. */
    public static boolean isPutOfManifest(JsonNode submitted) {
        return !submitted.at(SELECTOR).isObject();
    }

    /** Whether a difference there makes the object another Job's, unless people chose the selector themselves. */
    public static boolean covers(FieldPath path) {
        var text = path.toString();
        return PATHS.contains(text) || text.startsWith("spec.selector.");
    }

    public static boolean hasManualSelector(JsonNode job) {
        return job.at(MANUAL_SELECTOR).asBoolean();
    }

    /** Puts back what a PUT left out, and nothing that it contradicts. */
    public static void putBack(JsonNode live, PatchBuilder submitted) {
        if (!isPutOfManifest(submitted.object())) {
            return;
        }
        submitted.set(SELECTOR, live.at(SELECTOR));
        if (hasManualSelector(live)) {
            submitted.set(MANUAL_SELECTOR, live.at(MANUAL_SELECTOR));
        }
        templateLabels()
                .filter(label -> live.at(label).isTextual()
                        && submitted.object().at(label).isMissingNode())
                .forEach(label -> submitted.set(label, live.at(label)));
        if (isQueued(live) && live.at(SUSPEND).isBoolean()) {
            submitted.set(SUSPEND, live.at(SUSPEND));
        }
    }

    /** Whether a PUT suspends the Job and is not followed in that, because a queue has admitted it. */
    public static boolean ignoresSuspend(JsonNode sent, JsonNode submitted) {
        return sent.at(SUSPEND).asBoolean() && !submitted.at(SUSPEND).asBoolean();
    }

    private static boolean isQueued(JsonNode job) {
        return job.at(PatchBuilder.at("metadata", "labels", KUEUE_QUEUE)).isTextual();
    }

    /** A new Job is suspended as its manifest says: no queue knows it yet. */
    public static void suspendAsSent(JsonNode sent, PatchBuilder job) {
        if (isPutOfManifest(sent) && sent.at(SUSPEND).isBoolean()) {
            job.set(SUSPEND, sent.at(SUSPEND));
        }
    }

    /**
     * Takes away what the API server is to generate anew. Labels that it copied from the template, because the Job had
     * none of its own, are of that kind.
     */
    public static void takeOut(PatchBuilder job) {
        if (hasManualSelector(job.object())) {
            return;
        }
        job.remove(SELECTOR);
        Stream.concat(templateLabels(), LABELS.stream().map(label -> PatchBuilder.at("metadata", "labels", label)))
                .forEach(job::remove);
        var labels = PatchBuilder.at("metadata", "labels");
        if (job.object()
                .at(labels)
                .equals(job.object().at(PatchBuilder.at("spec", "template", "metadata", "labels")))) {
            job.remove(labels);
        }
    }

    /** Puts in what the API server generates on CREATE, unless people chose the selector themselves. */
    public static void generate(ObjectNode job, String uid) {
        var metadata = job.path("metadata");
        if (hasManualSelector(job)
                || !(job.at(TEMPLATE) instanceof ObjectNode template)
                || !(job.at(SPEC) instanceof ObjectNode spec)) {
            return;
        }
        var labels = labels(template);
        var isShared = metadata.path("labels").equals(labels);
        labels.put("batch.kubernetes.io/controller-uid", uid);
        labels.put("controller-uid", uid);
        labels.put("batch.kubernetes.io/job-name", metadata.path("name").asText());
        labels.put("job-name", metadata.path("name").asText());
        if (isShared && metadata instanceof ObjectNode object) {
            object.set("labels", labels.deepCopy());
        }
        if (!spec.has("selector")) {
            spec.putObject("selector").putObject("matchLabels").put("batch.kubernetes.io/controller-uid", uid);
        }
    }

    private static ObjectNode labels(ObjectNode template) {
        var metadata = template.get("metadata") instanceof ObjectNode known ? known : template.putObject("metadata");
        return metadata.get("labels") instanceof ObjectNode known ? known : metadata.putObject("labels");
    }

    /** Whether the template says which Job it belongs to. */
    public static boolean nameTheJob(JsonNode job) {
        return templateLabels().anyMatch(label -> job.at(label).isTextual());
    }

    private static Stream<JsonPointer> templateLabels() {
        return LABELS.stream().map(label -> PatchBuilder.at("spec", "template", "metadata", "labels", label));
    }

    /**
     * For {@code generateName} of a Job: short enough that the name of an Indexed one becomes the beginning of its Pods' host
     * names.
     */
    public static String nameBase(String name, JsonNode spec) {
        return GeneratedName.base(name, indexDigits(spec));
    }

    private static int indexDigits(JsonNode spec) {
        return ImmutableJobFields.isIndexed(spec)
                ? 1
                        + Integer.toString(Math.max(0, spec.path("completions").asInt() - 1))
                                .length()
                : 0;
    }
}
