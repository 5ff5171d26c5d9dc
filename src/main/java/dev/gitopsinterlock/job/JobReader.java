package dev.gitopsinterlock.job;

import static dev.gitopsinterlock.admission.SchemaCheck.objectAt;
import static dev.gitopsinterlock.admission.SchemaCheck.part;
import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.tool.Requester;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the facts of a Job's request. */
public final class JobReader {

    private static final SchemaCheck JOB = new SchemaCheck(
            List.of(
                    part("/metadata", JsonNode::isObject),
                    part("/spec", JsonNode::isObject),
                    part("/spec/template", JsonNode::isObject)),
            List.of(
                    part("/metadata/name", SchemaCheck::isName),
                    part("/metadata/uid", JsonNode::isTextual),
                    part("/metadata/resourceVersion", JsonNode::isTextual),
                    part("/metadata/generateName", JsonNode::isTextual),
                    part("/metadata/finalizers", JsonNode::isArray),
                    part("/metadata/annotations", SchemaCheck::isMapOfText),
                    part("/metadata/labels", SchemaCheck::isMapOfText),
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
                    part("/spec/template/metadata/labels", SchemaCheck::isMapOfText),
                    part("/spec/template/spec", JsonNode::isObject),
                    part("/status", JsonNode::isObject),
                    part("/status/active", JsonNode::isIntegralNumber),
                    part("/status/conditions", JsonNode::isArray),
                    part("/status/startTime", JsonNode::isTextual)));

    private JobReader() {}

    public static ParseResult<JobChange> read(JsonNode request) {
        return SchemaCheck.fault(request, JOB)
                .or(() -> otherName(request))
                .<ParseResult<JobChange>>map(Unsupported::new)
                .orElseGet(
                        () -> new Parsed<>(change(SchemaCheck.operation(request).orElseThrow(), request)));
    }

    /** An object that is another one than the request's is nothing that an API server would ask about. */
    private static Optional<String> otherName(JsonNode request) {
        if (SchemaCheck.operation(request).filter(Operation.UPDATE::equals).isEmpty()) {
            return Optional.empty();
        }
        var object = request.path("object").path("metadata");
        return Stream.of("name", "namespace")
                .flatMap(part -> Stream.of("object", "oldObject")
                        .filter(which -> !text(request.hasNonNull(part) ? request.path(part) : object.path(part))
                                .equals(text(
                                        request.path(which).path("metadata").path(part))))
                        .map(which -> which + ".metadata." + part))
                .findFirst();
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
                Requester.of(request.path("userInfo")),
                text(request.path("options").path("fieldManager")),
                text(request.path("subResource")),
                request.path("dryRun").asBoolean());
    }
}
