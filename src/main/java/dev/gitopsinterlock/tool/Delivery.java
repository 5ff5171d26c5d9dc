package dev.gitopsinterlock.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * How a tool brings a manifest to a cluster, as far as the manifest decides it.
 *
 * @param title of the tool in a sentence: {@code Flux}
 * @param manager whose the fields become that it sends
 * @param method by which it sends a manifest
 * @param shows whether a manifest says that it is this tool's
 * @param mayShow whether a manifest that says nothing else is probably this tool's
 * @param treatment of an object that changed: by its manifest and by the live object
 * @param folders whose manifests it applies, by a file of a repository and an object in there
 * @param fixes what makes it do what an advice says, by the advice's code
 */
public record Delivery(
        String title,
        String manager,
        Function<ToolMetadata, Method> method,
        Predicate<ToolMetadata> shows,
        Predicate<ToolMetadata> mayShow,
        BiFunction<ToolMetadata, ToolMetadata, Treatment> treatment,
        BiFunction<String, JsonNode, List<AppliedFolder>> folders,
        Map<String, Fix> fixes) {

    /** By a tool of which nothing is known. */
    public static final Delivery BY_ANOTHER = by("another tool", "", Method.UNKNOWN);

    public Delivery {
        fixes = Map.copyOf(fixes);
    }

    /** By a tool that sends everything as an edit, whatever a manifest says. */
    public static Delivery by(String title, String manager, Method method) {
        return new Delivery(
                title,
                manager,
                manifest -> method,
                manifest -> false,
                manifest -> false,
                (manifest, live) -> Treatment.EDITED,
                (file, object) -> List.of(),
                Map.of());
    }

    /** This delivery where some manifests ask for something else. */
    public Delivery treating(BiFunction<ToolMetadata, ToolMetadata, Treatment> by) {
        return new Delivery(title, manager, method, shows, mayShow, by, folders, fixes);
    }

    /** This delivery where the manifests that fit are not edited. */
    public Delivery notEditing(Predicate<ToolMetadata> manifests) {
        return treating((manifest, live) -> manifests.test(manifest) ? Treatment.NOT_EDITED : Treatment.EDITED);
    }

    /** This delivery with what shows it in a manifest. */
    public Delivery shownBy(Predicate<ToolMetadata> manifests) {
        return new Delivery(title, manager, method, manifests, mayShow, treatment, folders, fixes);
    }

    /** This delivery with what shows it where nothing shows another. */
    public Delivery maybeShownBy(Predicate<ToolMetadata> manifests) {
        return new Delivery(title, manager, method, shows, manifests, treatment, folders, fixes);
    }

    /** This delivery where manifests are sent in more ways than one. */
    public Delivery sendingBy(Function<ToolMetadata, Method> ways) {
        return new Delivery(title, manager, ways, shows, mayShow, treatment, folders, fixes);
    }

    /** This delivery with annotations by which users can help themselves. */
    public Delivery fixedBy(Map<String, Fix> annotations) {
        return new Delivery(title, manager, method, shows, mayShow, treatment, folders, annotations);
    }

    /** This delivery with what in a repository says which folders it applies. */
    public Delivery applying(BiFunction<String, JsonNode, List<AppliedFolder>> named) {
        return new Delivery(title, manager, method, shows, mayShow, treatment, named, fixes);
    }

    /** What it does with an object that changed and is in the cluster already. */
    public Treatment treats(JsonNode manifest, JsonNode live) {
        return treatment.apply(new ToolMetadata(manifest), new ToolMetadata(live));
    }

    /** The object with the entry that a write of this kind would leave in {@code managedFields}. */
    public ObjectNode sent(JsonNode object) {
        ObjectNode sent = object.deepCopy();
        var entry = sent.withObject("/metadata").putArray("managedFields").addObject();
        entry.put("manager", manager);
        entry.put("operation", method.apply(new ToolMetadata(object)) == Method.APPLY ? "Apply" : "Update");
        return sent;
    }

    /** Whether an object has a label or an annotation of a domain. */
    public static Predicate<ToolMetadata> markOf(String domain) {
        return manifest -> List.of("labels", "annotations").stream()
                .map(part -> manifest.object().path("metadata").path(part))
                .anyMatch(marks -> marks.properties().stream()
                        .anyMatch(mark -> mark.getKey().startsWith(domain + "/")));
    }
}
