package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.guidance.ObjectName;
import dev.gitopsinterlock.job.JobChange;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.webhook.JobReading.JobRequest;
import dev.gitopsinterlock.webhook.JobReading.Unjudgeable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Reads the facts of a Job's request, after checking that every part that a rule looks at has the form that the API
 * server gives it.
 */
final class JobReader {

    private static final Pattern NAME = Pattern.compile("[a-z0-9.-]{0,253}");

    /** Parts of the request itself; each may be absent. */
    private static final List<Part> REQUEST = List.of(
            part("/userInfo", JsonNode::isObject),
            part("/userInfo/username", JsonNode::isTextual),
            part("/userInfo/uid", JsonNode::isTextual),
            part("/userInfo/groups", JsonNode::isArray),
            part("/userInfo/extra", JsonNode::isObject),
            part("/options", JsonNode::isObject),
            part("/options/fieldManager", JsonNode::isTextual),
            part("/subResource", JsonNode::isTextual),
            part("/dryRun", JsonNode::isBoolean),
            part("/name", JobReader::isName),
            part("/namespace", JobReader::isName));

    /** Parts of a Job; each may be absent. */
    private static final List<Part> JOB = List.of(
            part("/metadata/name", JobReader::isName),
            part("/metadata/uid", JsonNode::isTextual),
            part("/metadata/resourceVersion", JsonNode::isTextual),
            part("/metadata/generateName", JsonNode::isTextual),
            part("/metadata/finalizers", JsonNode::isArray),
            part("/metadata/annotations", JobReader::isMapOfText),
            part("/metadata/labels", JobReader::isMapOfText),
            part("/metadata/ownerReferences", JsonNode::isArray),
            part("/metadata/managedFields", JsonNode::isArray),
            part("/spec/completionMode", JsonNode::isTextual),
            part("/spec/completions", JsonNode::isIntegralNumber),
            part("/spec/parallelism", JsonNode::isIntegralNumber),
            part("/spec/managedBy", JsonNode::isTextual),
            part("/spec/manualSelector", JsonNode::isBoolean),
            part("/spec/selector", JsonNode::isObject),
            part("/spec/suspend", JsonNode::isBoolean),
            part("/spec/template/metadata", JsonNode::isObject),
            part("/spec/template/metadata/labels", JobReader::isMapOfText),
            part("/spec/template/spec", JsonNode::isObject),
            part("/status", JsonNode::isObject),
            part("/status/active", JsonNode::isIntegralNumber),
            part("/status/conditions", JsonNode::isArray),
            part("/status/startTime", JsonNode::isTextual));

    private static final List<Part> JOB_ESSENTIALS = List.of(
            part("/metadata", JsonNode::isObject),
            part("/spec", JsonNode::isObject),
            part("/spec/template", JsonNode::isObject));

    private JobReader() {}

    private record Part(JsonPointer pointer, Predicate<JsonNode> isAsExpected) {}

    private static Part part(String pointer, Predicate<JsonNode> isAsExpected) {
        return new Part(JsonPointer.compile(pointer), isAsExpected);
    }

    static JobReading read(JsonNode request) {
        var operation = Arrays.stream(Operation.values())
                .filter(value -> value.name().equals(request.path("operation").asText()))
                .findFirst();
        var fault = operation.map(known -> fault(request, known)).orElse(Optional.of("request.operation"));
        return fault.<JobReading>map(Unjudgeable::new)
                .orElseGet(() -> new JobRequest(change(operation.orElseThrow(), request)));
    }

    private static Optional<String> fault(JsonNode request, Operation operation) {
        var faults = new ArrayList<String>();
        check(faults, "request", request, REQUEST, false);
        if (operation == Operation.CREATE || operation == Operation.UPDATE) {
            checkJob(faults, "object", request);
        }
        if (operation == Operation.UPDATE) {
            checkJob(faults, "oldObject", request);
        }
        return faults.stream().findFirst();
    }

    private static void checkJob(List<String> faults, String name, JsonNode request) {
        check(faults, name, request.path(name), JOB_ESSENTIALS, true);
        check(faults, name, request.path(name), JOB, false);
    }

    private static void check(List<String> faults, String name, JsonNode node, List<Part> parts, boolean required) {
        for (var part : parts) {
            var found = node.at(part.pointer());
            var absent = found.isMissingNode() || found.isNull();
            if (absent ? required : !part.isAsExpected().test(found)) {
                faults.add(name + part.pointer().toString().replace('/', '.'));
            }
        }
    }

    private static JobChange change(Operation operation, JsonNode request) {
        var after = objectAt(request, "object");
        return new JobChange(
                operation,
                new ObjectName(
                        text(request.path("namespace")),
                        request.hasNonNull("name")
                                ? text(request.path("name"))
                                : text(after.path("metadata").path("name"))),
                objectAt(request, "oldObject"),
                after,
                requester(request.path("userInfo")),
                text(request.path("options").path("fieldManager")),
                text(request.path("subResource")),
                request.path("dryRun").asBoolean());
    }

    /** JSON's null, which the API server sends for an object that an operation does not have, is nothing. */
    private static JsonNode objectAt(JsonNode request, String name) {
        var object = request.path(name);
        return object.isObject() ? object : MissingNode.getInstance();
    }

    /** Empty for JSON's null too, which Jackson would spell out. */
    private static String text(JsonNode node) {
        return node.isTextual() ? node.textValue() : "";
    }

    private static Requester requester(JsonNode userInfo) {
        var extra = new HashMap<String, List<String>>();
        for (var entry : userInfo.path("extra").properties()) {
            extra.put(entry.getKey(), texts(entry.getValue()));
        }
        return new Requester(
                text(userInfo.path("username")), text(userInfo.path("uid")), texts(userInfo.path("groups")), extra);
    }

    private static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static boolean isName(JsonNode node) {
        return node.isTextual() && NAME.matcher(node.textValue()).matches();
    }

    private static boolean isMapOfText(JsonNode node) {
        return node.isObject()
                && node.properties().stream().allMatch(entry -> entry.getValue().isTextual());
    }
}
