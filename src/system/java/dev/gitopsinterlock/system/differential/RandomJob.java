package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.system.differential.Wire.User;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A legal Job of random parts, on its way to a state. */
final class RandomJob {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int PARTS = 10;
    private static final String STARTED = "2026-01-01T00:00:00Z";

    private final String name;
    private final State aim;
    private final Wire wire;
    private boolean started;
    private boolean stopping;

    private RandomJob(String name, State aim, Wire wire) {
        this.name = name;
        this.aim = aim;
        this.wire = wire;
    }

    String name() {
        return name;
    }

    /** Draws parts until the API server takes them, and creates the Job. */
    static RandomJob create(String name, State aim, Schema schema, Random random, Wire wire) {
        var manifest = JobParts.added(
                manifest(name, aim, schema, random, wire),
                random,
                richer ->
                        wire.send(User.WITHOUT_US, Wire.post(richer).asDryRun()).isAccepted());
        if (random.nextBoolean()) {
            var applied = wire.send(User.WITH_US, serverSideApply(manifest));
            if (applied.isAccepted()) {
                return new RandomJob(name, aim, wire);
            }
            // a list with a key twice, which only a POST may have
        }
        var posted = wire.send(User.WITH_US, Wire.post(manifest));
        if (!posted.isAccepted()) {
            throw new AssertionError("a Job that passed a dry run was refused: " + manifest + "\n" + posted);
        }
        return new RandomJob(name, aim, wire);
    }

    /** Draws parts until the API server takes them. */
    static ObjectNode manifest(String name, State aim, Schema schema, Random random, Wire wire) {
        var manifest = skeleton(name, aim, schema, random);
        var editor = new Editor(random);
        var fields = schema.fields().stream()
                .filter(field -> field.path().startsWith("spec.template."))
                .filter(field -> !field.path().startsWith("spec.template.metadata.labels"))
                .toList();
        for (int part = 0; part < PARTS; part++) {
            var richer = manifest.deepCopy();
            var spec = (ObjectNode) richer.path("spec");
            if (random.nextInt(3) == 0) {
                editor.emptyOrNot(spec, Edits.emptyOrNot(schema, random));
            } else {
                editor.set(spec, fields.get(random.nextInt(fields.size())));
            }
            if (wire.send(User.WITHOUT_US, Wire.post(richer).asDryRun()).isAccepted()) {
                manifest = richer;
            }
        }
        return manifest;
    }

    private static Wire.Request serverSideApply(ObjectNode manifest) {
        return new Wire.Request(
                "PATCH",
                "/" + manifest.at("/metadata/name").asText(),
                Map.of("fieldManager", "kubectl", "force", "true"),
                Method.SERVER_SIDE_APPLY.contentType(),
                manifest);
    }

    private static ObjectNode skeleton(String name, State aim, Schema schema, Random random) {
        var job = JSON.objectNode().put("apiVersion", "batch/v1").put("kind", "Job");
        job.putObject("metadata").put("name", name).putObject("labels").put("app", "batch");
        var spec = job.putObject("spec");
        if (aim == State.NEVER_STARTED || random.nextBoolean()) {
            spec.put("suspend", aim == State.NEVER_STARTED);
        }
        spec.put("parallelism", 1 + random.nextInt(2));
        shape(spec, schema, random);
        var template = spec.putObject("template");
        template.putObject("metadata")
                .putObject("labels")
                .put("app", "batch")
                .put("testbed.gitops-interlock.dev/outcome", aim == State.FINISHED ? "succeed" : "run");
        var pod = template.putObject("spec")
                .put("restartPolicy", spec.has("podFailurePolicy") || random.nextBoolean() ? "Never" : "OnFailure");
        container(pod.putArray("containers").addObject().put("name", "main"), random);
        if (random.nextInt(3) == 0) {
            container(pod.withArray("containers").addObject().put("name", "side"), random);
        }
        if (random.nextInt(3) == 0) {
            container(pod.putArray("initContainers").addObject().put("name", "init"), random);
        }
        var volumes = pod.putArray("volumes");
        volumes.addObject().put("name", "data").putObject("emptyDir");
        volumes.addObject().put("name", "config").putObject("configMap").put("name", "settings");
        return job;
    }

    private static void shape(ObjectNode spec, Schema schema, Random random) {
        var isIndexed = random.nextInt(5) < 2;
        if (isIndexed || random.nextInt(4) > 0) {
            spec.put("completions", 2 + random.nextInt(2));
        }
        if (isIndexed) {
            spec.put("completionMode", "Indexed");
            if (random.nextBoolean()) {
                spec.put("backoffLimitPerIndex", random.nextInt(3));
                if (random.nextBoolean()) {
                    spec.put("maxFailedIndexes", random.nextInt(2));
                }
            }
            if (random.nextInt(3) == 0) {
                spec.putObject("successPolicy").putArray("rules").addObject().put("succeededIndexes", "0");
            }
        }
        if (random.nextInt(4) == 0) {
            var rule = spec.putObject("podFailurePolicy")
                    .putArray("rules")
                    .addObject()
                    .put("action", "Ignore");
            rule.putArray("onPodConditions")
                    .addObject()
                    .put("type", "DisruptionTarget")
                    .put("status", "True");
        }
        if (random.nextInt(5) == 0) {
            spec.put("managedBy", "example.com/controller");
        }
        var editor = new Editor(random);
        for (var field : List.of("backoffLimit", "ttlSecondsAfterFinished", "activeDeadlineSeconds")) {
            if (random.nextInt(3) == 0) {
                editor.set(spec, schema.at("spec." + field));
            }
        }
    }

    private static void container(ObjectNode container, Random random) {
        container.put("image", "registry.example/app:1");
        container.putArray("command").add("/app").add("migrate");
        if (random.nextBoolean()) {
            container.putArray("args").add("--batch=10").add("--verbose");
        }
        container.putArray("env").addObject().put("name", "LEVEL").put("value", "info");
        container
                .putObject("resources")
                .putObject("requests")
                .put("cpu", "100m")
                .put("memory", "64Mi");
        container.putArray("volumeMounts").addObject().put("name", "data").put("mountPath", "/data");
    }

    /** Takes the Job one step towards its state; true once it is there. */
    boolean advance(JsonNode live) {
        if (live.at("/spec/managedBy").isTextual()) {
            return playController(live);
        }
        started |= live.at("/status/startTime").isTextual();
        if (aim == State.STOPPED && started && !stopping) {
            stop();
            stopping = true;
            return false;
        }
        return switch (aim) {
            case NEVER_STARTED -> true;
            case STARTED -> started;
            case STOPPED ->
                stopping
                        && hasCondition(live, "Suspended")
                        && live.at("/status/active").asInt() == 0;
            case FINISHED -> isFinished(live);
        };
    }

    /** For Pods that cannot be made, the Job fails. */
    void force() {
        if (aim == State.FINISHED) {
            fail();
        }
    }

    /** Nobody looks after a Job that names a controller which is not there. */
    private boolean playController(JsonNode live) {
        var isSettled = live.at("/status/startTime").isTextual() || aim == State.NEVER_STARTED;
        if (!isSettled) {
            status(JSON.objectNode().put("startTime", STARTED));
            started = true;
            if (aim == State.STOPPED) {
                stop();
                // not every controller says so
                if (name.hashCode() % 2 == 0) {
                    var status = JSON.objectNode();
                    condition(status, "Suspended");
                    status(status);
                }
            } else if (aim == State.FINISHED) {
                fail();
            }
        }
        return true;
    }

    private void stop() {
        var patch = JSON.objectNode();
        patch.putObject("spec").put("suspend", true);
        wire.send(User.WITHOUT_US, Wire.mergePatch(name, patch));
    }

    private void fail() {
        var status =
                JSON.objectNode().put("startTime", STARTED).put("active", 0).put("ready", 0);
        condition(status, "FailureTarget");
        condition(status, "Failed");
        status(status);
    }

    private static void condition(ObjectNode status, String type) {
        status.withArray("conditions")
                .addObject()
                .put("type", type)
                .put("status", "True")
                // a Job that had finished long ago would be gone at once by its TTL
                .put(
                        "lastTransitionTime",
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    }

    private void status(ObjectNode status) {
        wire.send(
                User.WITHOUT_US,
                Wire.mergePatch(name + "/status", JSON.objectNode().set("status", status)));
    }

    /** The state that the Job is in now, which an edit may have changed. */
    State state(JsonNode live) {
        started |= live.at("/status/startTime").isTextual();
        if (isFinished(live)) {
            return State.FINISHED;
        }
        if (live.at("/spec/suspend").asBoolean()) {
            return started ? State.STOPPED : State.NEVER_STARTED;
        }
        return State.STARTED;
    }

    static boolean isFinished(JsonNode live) {
        return hasCondition(live, "Complete") || hasCondition(live, "Failed");
    }

    private static boolean hasCondition(JsonNode live, String type) {
        return live.at("/status/conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("type").asText().equals(type)
                        && condition.path("status").asText().equals("True"));
    }
}
