package dev.gitopsinterlock.webhook;

import static dev.gitopsinterlock.webhook.Form.objectAt;
import static dev.gitopsinterlock.webhook.Form.part;
import static dev.gitopsinterlock.webhook.Form.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.machineconfig.ConfigChange;
import dev.gitopsinterlock.machineconfig.ConfigChange.Kind;
import dev.gitopsinterlock.webhook.Reading.Judgeable;
import dev.gitopsinterlock.webhook.Reading.Unjudgeable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the facts of a request about a MachineConfig, KubeletConfig or ContainerRuntimeConfig. */
final class ConfigReader {

    private static final Form CONFIG = new Form(
            List.of(part("/metadata", JsonNode::isObject)),
            List.of(
                    part("/metadata/name", Form::isName),
                    part("/metadata/labels", Form::isMapOfText),
                    part("/metadata/ownerReferences", JsonNode::isArray),
                    part("/spec", JsonNode::isObject),
                    part("/spec/machineConfigPoolSelector", JsonNode::isObject),
                    part("/spec/machineConfigPoolSelector/matchLabels", Form::isMapOfText),
                    part("/spec/machineConfigPoolSelector/matchExpressions", JsonNode::isArray)));

    private ConfigReader() {}

    static Reading<ConfigChange> read(JsonNode request) {
        return kind(request).map(kind -> read(kind, request)).orElseGet(() -> new Unjudgeable<>("request.kind"));
    }

    private static Reading<ConfigChange> read(Kind kind, JsonNode request) {
        return Form.fault(request, CONFIG)
                .<Reading<ConfigChange>>map(Unjudgeable::new)
                .orElseGet(() -> new Judgeable<>(change(kind, request)));
    }

    private static Optional<Kind> kind(JsonNode request) {
        return Stream.of(Kind.values())
                .filter(kind ->
                        kind.word().equals(request.path("kind").path("kind").asText()))
                .findFirst();
    }

    private static ConfigChange change(Kind kind, JsonNode request) {
        var before = objectAt(request, "oldObject");
        var after = objectAt(request, "object");
        return new ConfigChange(
                kind,
                text((after.isObject() ? after : before).path("metadata").path("name")),
                Form.operation(request).orElseThrow(),
                before,
                after,
                text(request.path("userInfo").path("username")));
    }
}
