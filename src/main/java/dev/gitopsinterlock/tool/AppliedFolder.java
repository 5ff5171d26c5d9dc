package dev.gitopsinterlock.tool;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A folder of a repository whose manifests a tool applies, as an object or a file of that tool says.
 *
 * @param path from the root of the repository, empty for all of it; {@code *} stands for any part of a name
 * @param namespace of manifests that name none; empty where they need one
 * @param syncOptions with commas, where the tool has some
 * @param recreates whether what cannot change is deleted and created again
 */
public record AppliedFolder(String path, String namespace, String syncOptions, boolean recreates) {

    /** What is to be rendered from a template itself tells nothing. */
    private static final String TEMPLATE = "{{";

    public AppliedFolder {
        path = Stream.of(path.split("/", -1))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .collect(joining("/"));
        // most often that of another repository, of which the tool alone tells something
        var isOfAll = path.isEmpty();
        namespace = isOfAll || namespace.contains(TEMPLATE) ? "" : namespace;
        syncOptions = isOfAll || syncOptions.contains(TEMPLATE) ? "" : syncOptions;
        recreates &= !isOfAll;
    }

    /** With a path alone. */
    public static AppliedFolder of(String path) {
        return new AppliedFolder(path, "", "", false);
    }

    /** Whether a file is in there, at any depth. */
    public boolean holds(String file) {
        if (path.isEmpty()) {
            return true;
        }
        var patterns = List.of(path.split("/", -1));
        var names = List.of(file.split("/", -1));
        return names.size() > patterns.size()
                && IntStream.range(0, patterns.size()).allMatch(at -> fits(patterns.get(at), names.get(at)));
    }

    /** In steps of the product of both lengths at most, because anybody may have written the pattern. */
    private static boolean fits(String pattern, String name) {
        var at = 0;
        var star = -1;
        var resumed = 0;
        for (var i = 0; i < name.length(); ) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                resumed = i;
            } else if (at < pattern.length() && pattern.charAt(at) == name.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++resumed;
            } else {
                return false;
            }
        }
        return pattern.substring(at).chars().allMatch(rest -> rest == '*');
    }

    /** Whether it tells anything. */
    public boolean isKnown() {
        return !path.contains(TEMPLATE);
    }
}
