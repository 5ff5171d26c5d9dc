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
        return file.size() > path.size()
                && begins(file, path)
                && excluded.stream().noneMatch(each -> each.size() == path.size() && begins(file, each));
    }

    private static boolean begins(List<String> file, List<String> path) {
        return IntStream.range(0, path.size()).allMatch(at -> fits(path.get(at), file.get(at)));
    }

    /**
     * As Go's {@code path.Match}, but that Argo CD looks into no hidden folder. In steps of the product of both lengths at most,
     * because anybody may have written the pattern.
     */
    private static boolean fits(String pattern, String name) {
        if (name.startsWith(".") && !pattern.startsWith(".")) {
            return false;
        }
        var glob = pattern.codePoints().toArray();
        var text = name.codePoints().toArray();
        var at = 0;
        var star = -1;
        var resumed = 0;
        for (var i = 0; i < text.length; ) {
            var next = at < glob.length ? afterMatch(glob, at, text[i]) : 0;
            if (at < glob.length && glob[at] == '*') {
                star = at++;
                resumed = i;
            } else if (next > 0) {
                at = next;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++resumed;
            } else {
                return false;
            }
        }
        return IntStream.range(at, glob.length).allMatch(rest -> glob[rest] == '*');
    }

    /** Index after the part of the pattern that matches this character; 0 if none does, or the pattern is malformed. */
    private static int afterMatch(int[] glob, int at, int character) {
        return switch (glob[at]) {
            case '?' -> at + 1;
            case '\\' -> at + 1 < glob.length && glob[at + 1] == character ? at + 2 : 0;
            case '[' -> afterClass(glob, at + 1, character);
            default -> glob[at] == character ? at + 1 : 0;
        };
    }

    private static int afterClass(int[] glob, int start, int character) {
        var isNegated = start < glob.length && glob[start] == '^';
        var first = isNegated ? start + 1 : start;
        var isIn = false;
        for (var at = first; at < glob.length; ) {
            if (glob[at] == ']' && at > first) {
                return isIn == isNegated ? 0 : at + 1;
            }
            var low = classCharacter(glob, at);
            var isRange = low + 1 < glob.length && glob[low + 1] == '-';
            var high = isRange ? classCharacter(glob, low + 2) : low;
            if (high >= glob.length) {
                return 0;
            }
            isIn |= glob[low] <= character && character <= glob[high];
            at = high + 1;
        }
        return 0;
    }

    /** Index of the character of a class that begins here; the pattern's length where none does. */
    private static int classCharacter(int[] glob, int at) {
        return at >= glob.length || glob[at] == '-' || glob[at] == ']' ? glob.length : glob[at] == '\\' ? at + 1 : at;
    }

    /** Whether it tells anything. */
    public boolean isKnown() {
        return path.stream().noneMatch(name -> name.contains(TEMPLATE));
    }
}
