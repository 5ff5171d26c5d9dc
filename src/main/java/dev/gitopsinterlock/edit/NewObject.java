package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.tool.FieldManager;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.util.List;

/** What an object that takes another one's place has of that one, and whose it is. */
public final class NewObject {

    private static final List<String> NOT_OF_A_NEW_ONE =
            List.of("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "selfLink");

    private NewObject() {}

    /** Takes away what belongs to the object that it was. */
    public static void strip(PatchBuilder object) {
        object.remove(PatchBuilder.at("status"));
        NOT_OF_A_NEW_ONE.forEach(field -> object.remove(PatchBuilder.at("metadata", field)));
        object.remove(OurMetadata.annotation(OurMetadata.RETRIGGERED));
    }

    /**
     * A client that applies by the server must own what it applied and nobody else; the new object is then created in our
     * name, and the entry goes once the client's own is there. Every other client is the object's creator.
     */
    private static String fieldManager(Change change) {
        var manager = change.manager();
        return manager.method() == Method.APPLY || manager.name().isEmpty() ? FieldManager.OWN : manager.name();
    }

    /**
     * The owners that the new object gets before the API server looks for conflicts: what a client applies by the server
     * is its own from the first moment, as after a delete and an apply. Nothing for every other client.
     */
    private static JsonNode owners(Change change) {
        var manager = change.manager();
        return manager.method() == Method.APPLY
                ? ManagedFieldsEntries.applied(change.after().path("metadata").path("managedFields"), manager.name())
                : MissingNode.getInstance();
    }

    /** What puts a new object in the place of the edited one, in the name of who sent the edit. */
    public static ObjectOperation inPlace(Change change, List<FieldPath> refused, JsonNode object) {
        return operation(change, refused, object, fieldManager(change), owners(change));
    }

    /** What creates a new object beside the edited one, in that name, too. */
    public static ObjectOperation beside(Change change, List<FieldPath> refused, JsonNode object) {
        return operation(change, refused, object, FieldManager.OWN, MissingNode.getInstance());
    }

    private static ObjectOperation operation(
            Change change, List<FieldPath> refused, JsonNode object, String fieldManager, JsonNode owners) {
        return new ObjectOperation(
                change.type(),
                change.object(),
                change.before(),
                change.requester(),
                change.tool(),
                texts(refused),
                object,
                fieldManager,
                owners,
                change.dryRun());
    }

    /** Paths as people read them. */
    static List<String> texts(List<FieldPath> fields) {
        return fields.stream().map(FieldPath::toString).toList();
    }
}
