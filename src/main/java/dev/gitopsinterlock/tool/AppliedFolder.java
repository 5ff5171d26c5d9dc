package dev.gitopsinterlock.tool;

import java.util.regex.Pattern;

/**
 * A folder of a repository whose manifests a tool applies, as an object or a file of that tool says.
 *
 * @param path from the root of the repository, empty for all of it; {@code *} stands for any name
 * @param namespace of manifests that name none; empty where they need one
 * @param syncOptions with commas, where the tool has some
 * @param recreates whether what cannot change is deleted and created again
 */
public record AppliedFolder(String path, String namespace, String syncOptions, boolean recreates) {

    /** What is to be rendered from a template itself tells nothing. */
    private static final String TEMPLATE = "{{";

    public AppliedFolder {
        path = path.replaceFirst("^(\\.?/)+|^\\.$", "").replaceFirst("/+$", "");
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
        return path.isEmpty()
                || Pattern.compile(Pattern.quote(path).replace("*", "\\E[^/]*\\Q") + "/.*")
                        .matcher(file)
                        .matches();
    }

    /** Whether it tells anything. */
    public boolean isKnown() {
        return !path.contains(TEMPLATE);
    }
}
