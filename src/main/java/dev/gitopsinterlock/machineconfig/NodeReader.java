package dev.gitopsinterlock.machineconfig;

import static dev.gitopsinterlock.admission.SchemaCheck.part;
import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.admission.SchemaCheck;
import java.util.List;

/** Reads the facts of a Node's request. */
final class NodeReader {

    private static final SchemaCheck NODE = new SchemaCheck(
            List.of(part("/metadata", JsonNode::isObject)),
            List.of(
                    part("/metadata/name", SchemaCheck::isName),
                    part("/metadata/labels", SchemaCheck::isMapOfText),
                    part("/metadata/annotations", SchemaCheck::isMapOfText)));

    private NodeReader() {}

    static ParseResult<NodeChange> read(JsonNode request) {
        return SchemaCheck.fault(request, NODE)
                .<ParseResult<NodeChange>>map(Unsupported::new)
                .orElseGet(() -> new Parsed<>(NodeChange.of(
                        request.path("oldObject"),
                        request.path("object"),
                        text(request.path("userInfo").path("username")),
                        request.path("dryRun").asBoolean())));
    }
}
