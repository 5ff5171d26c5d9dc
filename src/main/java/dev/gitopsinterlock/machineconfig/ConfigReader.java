package dev.gitopsinterlock.machineconfig;

import static dev.gitopsinterlock.admission.SchemaCheck.objectAt;
import static dev.gitopsinterlock.admission.SchemaCheck.part;
import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.machineconfig.ConfigChange.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the facts of a request about something that pools are made of. */
final class ConfigReader {

    private static final SchemaCheck CONFIG = new SchemaCheck(
            List.of(part("/metadata", JsonNode::isObject)),
            List.of(
                    part("/metadata/name", SchemaCheck::isName),
                    part("/metadata/labels", SchemaCheck::isMapOfText),
                    part("/metadata/ownerReferences", JsonNode::isArray),
                    part("/spec", JsonNode::isObject),
                    part("/spec/machineConfigPool/name", SchemaCheck::isName),
                    part("/spec/registrySources", JsonNode::isObject),
                    part("/spec/machineConfigPoolSelector", JsonNode::isObject),
                    part("/spec/machineConfigPoolSelector/matchLabels", SchemaCheck::isMapOfText),
                    part("/spec/machineConfigPoolSelector/matchExpressions", JsonNode::isArray)));

    private ConfigReader() {}

    static ParseResult<ConfigChange> read(JsonNode request) {
        return kind(request).map(kind -> read(kind, request)).orElseGet(() -> new Unsupported<>("request.kind"));
    }

    private static ParseResult<ConfigChange> read(Kind kind, JsonNode request) {
        return SchemaCheck.fault(request, CONFIG)
                .<ParseResult<ConfigChange>>map(Unsupported::new)
                .orElseGet(() -> new Parsed<>(change(kind, request)));
    }

    private static Optional<Kind> kind(JsonNode request) {
        return Stream.of(Kind.values())
                .filter(kind ->
                        kind.label().equals(request.path("kind").path("kind").asText()))
                .findFirst();
    }

    private static ConfigChange change(Kind kind, JsonNode request) {
        var before = objectAt(request, "oldObject");
        var after = objectAt(request, "object");
        return new ConfigChange(
                kind,
                text((after.isObject() ? after : before).path("metadata").path("name")),
                SchemaCheck.operation(request).orElseThrow(),
                before,
                after,
                text(request.path("userInfo").path("username")));
    }
}
