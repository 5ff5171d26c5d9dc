package dev.gitopsinterlock.job.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.job.Containers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The defaults of a Job's fields: those that are always the same as a table, the others after it. */
final class JobDefaults {

    /** When a field counts as not written. */
    private enum When {
        ABSENT,
        /** Or with the value that means nothing: no text, or zero. */
        ABSENT_OR_ZERO
    }

    /**
     * A field that is filled in wherever the object around it is.
     *
     * @param around names of the fields down to that object; {@code *} is every item of a list
     */
    private record Default(List<String> around, String field, JsonNode value, When when) {}

    private static final String POD = "spec.template.spec.";
    private static final String VOLUMES = POD + "volumes.*.";
    private static final int MODE = 0644;

    private static final List<Default> TABLE = Stream.of(
                    Stream.of(
                            absent("spec.completionMode", text("NonIndexed")),
                            absent("spec.suspend", BooleanNode.FALSE),
                            absent("spec.manualSelector", BooleanNode.FALSE),
                            zero("spec.podFailurePolicy.rules.*.onPodConditions.*.status", text("True")),
                            zero(POD + "dnsPolicy", text("ClusterFirst")),
                            zero(POD + "restartPolicy", text("Always")),
                            zero(POD + "schedulerName", text("default-scheduler")),
                            absent(POD + "terminationGracePeriodSeconds", number(30)),
                            absent(VOLUMES + "secret.defaultMode", number(MODE)),
                            absent(VOLUMES + "configMap.defaultMode", number(MODE)),
                            absent(VOLUMES + "downwardAPI.defaultMode", number(MODE)),
                            absent(VOLUMES + "projected.defaultMode", number(MODE)),
                            absent(VOLUMES + "projected.sources.*.serviceAccountToken.expirationSeconds", number(3600)),
                            zero(VOLUMES + "downwardAPI.items.*.fieldRef.apiVersion", text("v1")),
                            zero(VOLUMES + "projected.sources.*.downwardAPI.items.*.fieldRef.apiVersion", text("v1")),
                            absent(VOLUMES + "hostPath.type", text("")),
                            zero(VOLUMES + "iscsi.iscsiInterface", text("default")),
                            zero(VOLUMES + "rbd.pool", text("rbd")),
                            zero(VOLUMES + "rbd.user", text("admin")),
                            zero(VOLUMES + "rbd.keyring", text("/etc/ceph/keyring")),
                            absent(VOLUMES + "azureDisk.cachingMode", text("ReadWrite")),
                            absent(VOLUMES + "azureDisk.kind", text("Shared")),
                            absent(VOLUMES + "azureDisk.fsType", text("ext4")),
                            absent(VOLUMES + "azureDisk.readOnly", BooleanNode.FALSE),
                            zero(VOLUMES + "scaleIO.storageMode", text("ThinProvisioned")),
                            zero(VOLUMES + "scaleIO.fsType", text("xfs")),
                            absent(VOLUMES + "ephemeral.volumeClaimTemplate.spec.volumeMode", text("Filesystem"))),
                    Containers.LISTS.stream().flatMap(list -> ofContainers(POD + list + ".*.")))
            .flatMap(defaults -> defaults)
            .toList();

    private JobDefaults() {}

    private static Stream<Default> ofContainers(String container) {
        var probes = Stream.of("livenessProbe", "readinessProbe", "startupProbe")
                .map(probe -> container + probe + ".")
                .toList();
        var httpGets = Stream.concat(
                probes.stream(), Stream.of("postStart", "preStop").map(hook -> container + "lifecycle." + hook + "."));
        return Stream.of(
                        Stream.of(
                                zero(container + "terminationMessagePath", text("/dev/termination-log")),
                                zero(container + "terminationMessagePolicy", text("File")),
                                zero(container + "ports.*.protocol", text("TCP")),
                                zero(container + "env.*.valueFrom.fieldRef.apiVersion", text("v1")),
                                absent(container + "env.*.valueFrom.fileKeyRef.optional", BooleanNode.FALSE)),
                        probes.stream()
                                .flatMap(probe -> Stream.of(
                                        zero(probe + "timeoutSeconds", number(1)),
                                        zero(probe + "periodSeconds", number(10)),
                                        zero(probe + "successThreshold", number(1)),
                                        zero(probe + "failureThreshold", number(3)),
                                        absent(probe + "grpc.service", text("")))),
                        httpGets.flatMap(handler -> Stream.of(
                                zero(handler + "httpGet.path", text("/")),
                                zero(handler + "httpGet.scheme", text("HTTP")))))
                .flatMap(defaults -> defaults);
    }

    static void fillIn(ObjectNode job) {
        if (job.get("spec") instanceof ObjectNode spec) {
            counts(spec);
        }
        labels(job);
        if (job.at("/spec/template/spec") instanceof ObjectNode pod) {
            pod(pod);
        }
        for (var entry : TABLE) {
            for (var around : objects(job, entry.around())) {
                setIfUnwritten(around, entry.field(), entry.value(), entry.when());
            }
        }
    }

    private static void counts(ObjectNode spec) {
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1);
        }
        setIfUnwritten(spec, "parallelism", number(1), When.ABSENT);
        var retries = spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6;
        setIfUnwritten(spec, "backoffLimit", number(retries), When.ABSENT);
        var replaced = spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed";
        setIfUnwritten(spec, "podReplacementPolicy", text(replaced), When.ABSENT);
    }

    private static void labels(ObjectNode job) {
        if (job.at("/spec/template/metadata/labels") instanceof ObjectNode labels
                && job.path("metadata").path("labels").isEmpty()) {
            job.withObject("/metadata").set("labels", labels.deepCopy());
        }
    }

    private static void pod(ObjectNode pod) {
        setIfUnwritten(pod, "securityContext", pod.objectNode(), When.ABSENT);
        // two names of one field
        var account = pod.path("serviceAccountName").asText();
        var old = pod.path("serviceAccount").asText();
        if (!(account + old).isEmpty()) {
            pod.put("serviceAccountName", account.isEmpty() ? old : account);
            pod.put("serviceAccount", account.isEmpty() ? old : account);
        }
        for (var list : Containers.LISTS) {
            for (var container : objects(pod, List.of(list, "*"))) {
                setIfUnwritten(container, "imagePullPolicy", pullPolicy(container.path("image")), When.ABSENT_OR_ZERO);
            }
        }
        for (var volume : objects(pod, List.of("volumes", "*"))) {
            // beside its name, everything in a volume says of what kind it is
            if (volume.size() == 1 && volume.has("name")) {
                volume.putObject("emptyDir");
            }
            if (volume.get("image") instanceof ObjectNode image) {
                setIfUnwritten(image, "pullPolicy", pullPolicy(image.path("reference")), When.ABSENT_OR_ZERO);
            }
        }
    }

    /** Source: ParseImageName of pkg/util/parsers: without a tag and a digest the tag is {@code latest}. */
    private static JsonNode pullPolicy(JsonNode image) {
        var reference = image.asText();
        var name = reference.substring(reference.lastIndexOf('/') + 1);
        var digest = name.indexOf('@');
        var tagged = digest < 0 ? name : name.substring(0, digest);
        var colon = tagged.indexOf(':');
        var isLatest = colon < 0
                ? digest < 0 && !reference.isEmpty()
                : tagged.substring(colon + 1).equals("latest");
        return text(isLatest ? "Always" : "IfNotPresent");
    }

    private static void setIfUnwritten(ObjectNode object, String field, JsonNode value, When when) {
        var present = object.path(field);
        if (present.isMissingNode() || (when == When.ABSENT_OR_ZERO && OmittedZeros.isZero(present))) {
            object.set(field, value);
        }
    }

    /** Those that are there. */
    private static List<ObjectNode> objects(JsonNode root, List<String> names) {
        var found = List.of(root);
        for (var name : names) {
            var next = new ArrayList<JsonNode>();
            for (var node : found) {
                if (!name.equals("*")) {
                    next.add(node.path(name));
                } else if (node.isArray()) {
                    node.forEach(next::add);
                }
            }
            found = next;
        }
        return found.stream()
                .filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast)
                .toList();
    }

    private static Default absent(String path, JsonNode value) {
        return of(path, value, When.ABSENT);
    }

    private static Default zero(String path, JsonNode value) {
        return of(path, value, When.ABSENT_OR_ZERO);
    }

    private static Default of(String path, JsonNode value, When when) {
        var names = List.of(path.split("\\.", -1));
        return new Default(names.subList(0, names.size() - 1), names.getLast(), value, when);
    }

    private static JsonNode text(String text) {
        return TextNode.valueOf(text);
    }

    private static JsonNode number(int number) {
        return IntNode.valueOf(number);
    }
}
