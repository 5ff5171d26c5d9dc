package dev.gitopsinterlock.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A folder of a repository whose manifests a tool applies, as an object or a file of that tool says.
 *
 * @param path patterns of names from the root of the repository, in the syntax of Go's {@code path.Match}; none for all of it
 * @param excluded paths of the same form that it does not stand for
 * @param namespace of manifests that name none; empty where they need one
 * @param syncOptions with commas, where the tool has some
 * @param recreates whether what cannot change is deleted and created again
 * @param hasValues whether a chart there gets values beside its own
 */
public record AppliedFolder(
        List<String> path,
        List<List<String>> excluded,
        String namespace,
        String syncOptions,
        boolean recreates,
        boolean hasValues) {

    /** What is to be rendered from a template itself tells nothing. */
    private static final String TEMPLATE = "{{";

    public AppliedFolder {
        path = List.copyOf(path);
        excluded = List.copyOf(excluded);
        // most often that of another repository, of which the tool alone tells something
        var isOfAll = path.isEmpty();
        namespace = isOfAll || namespace.contains(TEMPLATE) ? "" : namespace;
        syncOptions = isOfAll || syncOptions.contains(TEMPLATE) ? "" : syncOptions;
        recreates &= !isOfAll;
    }

    public AppliedFolder(String path, String namespace, String syncOptions, boolean recreates) {
        this(names(path), List.of(), namespace, syncOptions, recreates, false);
    }

    /** The pattern of a path that is none. */
    public static String literal(String path) {
        return path.replaceAll("[\\\\*?\\[]", "\\\\$0");
    }

    /** With a path alone. */
    public static AppliedFolder of(String path) {
        return new AppliedFolder(path, "", "", false);
    }

    /** This one where it does not stand for some. */
    public AppliedFolder except(List<String> paths) {
        var names = paths.stream().map(AppliedFolder::names).toList();
        return new AppliedFolder(path, names, namespace, syncOptions, recreates, hasValues);
    }

    /** This one with what gives a chart values: any of these fields. */
    public AppliedFolder withValues(Stream<JsonNode> givers, String... fields) {
        var gives = givers.anyMatch(giver -> Stream.of(fields).anyMatch(giver::has));
        return new AppliedFolder(path, excluded, namespace, syncOptions, recreates, gives);
    }

    private static List<String> names(String path) {
        return Stream.of(path.split("/", -1))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .toList();
    }

    /**
     * Whether a file is in there, at any depth.
     *
     * @param file the parts of its path; the last one is empty for a folder that was rendered
     */
    public boolean holds(List<String> file) {
        return depths(file).filter(depth -> depth < file.size()).anyMatch(depth -> isOne(file.subList(0, depth)));
    }

    /** How deep folders of the pattern may be: a class of characters matches a slash, too. */
    private IntStream depths(List<String> file) {
        return path.stream().anyMatch(name -> name.contains("["))
                ? IntStream.range(1, file.size())
                : IntStream.of(path.size());
    }

    /** But that Argo CD looks into no hidden folder. */
    private boolean isOne(List<String> folder) {
        var name = String.join("/", folder);
        return PathPattern.matches(String.join("/", path), name)
                && excluded.stream().noneMatch(each -> PathPattern.matches(String.join("/", each), name))
                && IntStream.range(0, folder.size())
                        .noneMatch(at -> folder.get(at).startsWith(".")
                                && !(at < path.size() && path.get(at).startsWith(".")));
    }

    /** Whether it tells anything. */
    public boolean isKnown() {
        return path.stream().noneMatch(name -> name.contains(TEMPLATE));
    }
}
