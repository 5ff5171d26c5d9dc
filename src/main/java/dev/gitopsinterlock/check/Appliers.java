package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.tool.AppliedFolder;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What applies manifests: a tool that was named, else the one whose marks a manifest has, else the one that the repository
 * itself names for the manifest's folder, by an Application, a Kustomization or the like. Immutable.
 *
 * @param named in whose hands all manifests are
 * @param namedOptions of the Argo CD Application, with commas; they go before those in the repository
 * @param folders as the repository names them
 */
public record Appliers(Optional<Tool> named, String namedOptions, List<Folder> folders) {

    public Appliers {
        folders = List.copyOf(folders);
    }

    /** A folder that a tool applies. */
    public record Folder(Tool tool, AppliedFolder applied) {}

    /**
     * An object of a repository.
     *
     * @param file that it is in, from the root
     */
    public record Stated(String file, JsonNode object) {}

    /** Files whose objects give the chart in a folder values beside its own. */
    public static List<String> valuesOf(String chart, List<Stated> repository) {
        var file = List.of((chart.isEmpty() ? "Chart.yaml" : chart + "/Chart.yaml").split("/", -1));
        return repository.stream()
                .filter(stated -> folders(stated)
                        .map(Folder::applied)
                        .anyMatch(folder -> folder.hasValues()
                                && folder.holds(file)
                                // that of another repository
                                && folder.path().isEmpty() == chart.isEmpty()))
                .map(Stated::file)
                .distinct()
                .toList();
    }

    /** What was named, of which no repository says more. */
    public static Appliers named(Optional<Tool> tool, String options) {
        return new Appliers(tool, options, List.of());
    }

    /** These, where such objects name more. */
    public Appliers in(List<Stated> repository) {
        return new Appliers(
                named,
                namedOptions,
                repository.stream().flatMap(Appliers::folders).distinct().toList());
    }

    /** Never fails; {@link Tool#UNKNOWN} where nothing tells. */
    Tool of(Manifest manifest) {
        return named.orElseGet(() -> {
            var marked = ToolDetection.deployer(manifest.object());
            return marked == Tool.UNKNOWN
                    ? nearest(manifest, Optional.empty())
                            .map(Folder::tool)
                            .findFirst()
                            .orElse(Tool.UNKNOWN)
                    : marked;
        });
    }

    /** Of the Application, with commas; empty for other tools. */
    String syncOptions(Manifest manifest, Tool by) {
        return by != Tool.ARGO_CD
                ? ""
                : !namedOptions.isEmpty()
                        ? namedOptions
                        : nearest(manifest, Optional.of(by))
                                .map(folder -> folder.applied().syncOptions())
                                .findFirst()
                                .orElse("");
    }

    boolean recreates(Manifest manifest, Tool by) {
        // of several that apply the same folder, all have to
        var applying = nearest(manifest, Optional.of(by)).toList();
        return !applying.isEmpty()
                && applying.stream().allMatch(folder -> folder.applied().recreates());
    }

    /** With the Namespace that a tool gives to those that name none. */
    public List<Manifest> placed(List<Manifest> manifests, CheckedTypes types) {
        return folders.isEmpty()
                ? manifests
                : manifests.stream().map(manifest -> placed(manifest, types)).toList();
    }

    private Manifest placed(Manifest manifest, CheckedTypes types) {
        var namespace = nearest(manifest, named)
                .map(folder -> folder.applied().namespace())
                .findFirst()
                .orElse("");
        if (namespace.isEmpty()
                || !manifest.id().namespace().isEmpty()
                || types.of(manifest.object())
                        .filter(CheckedTypes.Type::namespaced)
                        .isEmpty()) {
            return manifest;
        }
        ObjectNode object = manifest.object().deepCopy();
        object.withObject("/metadata").put("namespace", namespace);
        return new Manifest(manifest.path(), object, manifest.text());
    }

    /** Those of the nearest folder, of this tool if one is given. */
    private Stream<Folder> nearest(Manifest manifest, Optional<Tool> of) {
        var file = List.of(manifest.path().split("/", -1));
        var holding = folders.stream()
                .filter(folder -> of.isEmpty() || of.get() == folder.tool())
                .filter(folder -> folder.applied().holds(file))
                .toList();
        var path = holding.stream()
                .map(folder -> folder.applied().path())
                .max(Comparator.comparingInt(names -> String.join("/", names).length()));
        return holding.stream().filter(folder -> folder.applied().path().equals(path.orElseThrow()));
    }

    private static Stream<Folder> folders(Stated stated) {
        return Arrays.stream(Tool.values())
                .flatMap(tool -> tool.delivery().folders().apply(stated.file(), stated.object()).stream()
                        .filter(AppliedFolder::isKnown)
                        .map(applied -> new Folder(tool, applied)));
    }
}
