package dev.gitopsinterlock.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ObjectReference;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.ManagedFields;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Sender;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** An edit of a live object, as far as carrying it out is concerned. The trees are the request's own; nobody changes them. */
public interface LiveEdit {

    /** The object's name. */
    ObjectName object();

    /** The live object. */
    JsonNode before();

    /** The object as it would be. */
    JsonNode after();

    Requester requester();

    /** As the client sent it; empty where it sent none. */
    String fieldManager();

    /** Whose the changed fields become, as far as the object tells. */
    default FieldManager manager() {
        return ManagedFields.manager(before(), after(), fieldManager());
    }

    /** That sent the request; {@link Tool#UNKNOWN} where nothing tells. */
    default Tool tool() {
        return ToolDetection.requester(new Sender(requester(), manager(), new ToolMetadata(after())));
    }

    /** Of the object as submitted, where its policy is read. */
    default Map<String, String> annotations() {
        return after().path("metadata")
                .path("annotations")
                .propertyStream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().asText()));
    }

    /** Whether nothing will be stored. */
    boolean dryRun();

    /** The live object, whose owner is told of a refusal; empty where the edit was only tried. */
    default Optional<ObjectReference> toldOfRefusals(ResourceType type) {
        return dryRun() ? Optional.empty() : Optional.of(ObjectReference.to(type, before()));
    }
}
