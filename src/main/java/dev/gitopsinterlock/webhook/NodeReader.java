package dev.gitopsinterlock.webhook;

import static dev.gitopsinterlock.webhook.Form.part;
import static dev.gitopsinterlock.webhook.Form.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.machineconfig.NodeChange;
import dev.gitopsinterlock.webhook.Reading.Judgeable;
import dev.gitopsinterlock.webhook.Reading.Unjudgeable;
import java.util.List;

/** Reads the facts of a Node's request. */
final class NodeReader {

    private static final Form NODE = new Form(
            List.of(part("/metadata", JsonNode::isObject)),
            List.of(
                    part("/metadata/name", Form::isName),
                    part("/metadata/labels", Form::isMapOfText),
                    part("/metadata/annotations", Form::isMapOfText)));

    private NodeReader() {}

    static Reading<NodeChange> read(JsonNode request) {
        return Form.fault(request, NODE)
                .<Reading<NodeChange>>map(Unjudgeable::new)
                .orElseGet(() -> new Judgeable<>(NodeChange.of(
                        request.path("oldObject"),
                        request.path("object"),
                        text(request.path("userInfo").path("username")),
                        request.path("dryRun").asBoolean())));
    }
}
