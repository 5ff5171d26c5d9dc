package dev.gitopsinterlock.job.manifest;

import static dev.gitopsinterlock.immutability.Defaults.absent;
import static dev.gitopsinterlock.immutability.Defaults.objects;
import static dev.gitopsinterlock.immutability.Defaults.zero;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.immutability.Defaults;
import dev.gitopsinterlock.immutability.Defaults.Row;
import dev.gitopsinterlock.job.Containers;
import java.util.List;
import java.util.stream.Stream;

/** The defaults of a Job's fields: those that are always the same as a table, the others after it. */
final class JobDefaults {

    private static final String POD = "spec.template.spec.";
    private static final String VOLUMES = POD + "volumes.*.";
    private static final int MODE = 0644;

    private static final Defaults TABLE = Defaults.of(Stream.concat(
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
            Containers.LISTS.stream().flatMap(list -> ofContainers(POD + list + ".*."))));

    private JobDefaults() {}

    private static Stream<Row> ofContainers(String container) {
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
        TABLE.fillIn(job);
    }

    private static void counts(ObjectNode spec) {
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1);
        }
        Defaults.fillIn(spec, "parallelism", number(1), false);
        var retries = spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : 6;
        Defaults.fillIn(spec, "backoffLimit", number(retries), false);
        var replaced = spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed";
        Defaults.fillIn(spec, "podReplacementPolicy", text(replaced), false);
    }

    private static void labels(ObjectNode job) {
        if (job.at("/spec/template/metadata/labels") instanceof ObjectNode labels
                && job.path("metadata").path("labels").isEmpty()) {
            job.withObject("/metadata").set("labels", labels.deepCopy());
        }
    }

    private static void pod(ObjectNode pod) {
        Defaults.fillIn(pod, "securityContext", pod.objectNode(), false);
        // two names of one field
        var account = pod.path("serviceAccountName").asText();
        var old = pod.path("serviceAccount").asText();
        if (!(account + old).isEmpty()) {
            pod.put("serviceAccountName", account.isEmpty() ? old : account);
            pod.put("serviceAccount", account.isEmpty() ? old : account);
        }
        for (var list : Containers.LISTS) {
            for (var container : objects(pod, List.of(list, "*"))) {
                Defaults.fillIn(container, "imagePullPolicy", pullPolicy(container.path("image")), true);
            }
        }
        for (var volume : objects(pod, List.of("volumes", "*"))) {
            // beside its name, everything in a volume says of what kind it is
            if (volume.size() == 1 && volume.has("name")) {
                volume.putObject("emptyDir");
            }
            if (volume.get("image") instanceof ObjectNode image) {
                Defaults.fillIn(image, "pullPolicy", pullPolicy(image.path("reference")), true);
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

    private static JsonNode text(String text) {
        return TextNode.valueOf(text);
    }

    private static JsonNode number(int number) {
        return IntNode.valueOf(number);
    }
}
