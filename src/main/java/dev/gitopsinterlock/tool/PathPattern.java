package dev.gitopsinterlock.tool;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Go's {@code path.Match}, by bytes as there; what is malformed matches nothing. In steps of the product of both lengths at
 * most, because anybody may have written the pattern.
 */
final class PathPattern {

    /** What Go reads within a character. */
    private static final int NO_CHARACTER = 0xfffd;

    private final String glob;
    private final String path;

    private PathPattern(String glob, String path) {
        this.glob = glob;
        this.path = path;
    }

    static boolean matches(String pattern, String path) {
        return new PathPattern(bytes(pattern), bytes(path)).matches();
    }

    /** A character for each byte. */
    private static String bytes(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    private boolean matches() {
        var from = 0;
        for (var at = 0; at < glob.length(); ) {
            var start = at;
            while (start < glob.length() && glob.charAt(start) == '*') {
                start++;
            }
            if (start == glob.length()) {
                return path.indexOf('/', from) < 0;
            }
            var end = chunkEnd(start);
            var next = afterChunk(start, end, from);
            // the last one has to match the rest
            while (next < 0 || (end == glob.length() && next < path.length())) {
                if (start == at || from == path.length() || path.charAt(from) == '/') {
                    return false;
                }
                next = afterChunk(start, end, ++from);
            }
            from = next;
            at = end;
        }
        return from == path.length();
    }

    /** The next star, but one in a class. */
    private int chunkEnd(int start) {
        var isInClass = false;
        for (var at = start; at < glob.length(); at++) {
            switch (glob.charAt(at)) {
                case '\\' -> at++;
                case '[' -> isInClass = true;
                case ']' -> isInClass = false;
                case '*' -> {
                    if (!isInClass) {
                        return at;
                    }
                }
                default -> {}
            }
        }
        return glob.length();
    }

    /** Index in the path behind what matches a part of the pattern without stars; -1 if nothing does. */
    private int afterChunk(int start, int end, int from) {
        var to = from;
        for (var at = start; at < end; ) {
            if (to == path.length()) {
                return -1;
            }
            switch (glob.charAt(at)) {
                case '[' -> {
                    at = afterClass(at + 1, end, character(path, to));
                    to += size(path, to);
                }
                case '?' -> {
                    at = path.charAt(to) == '/' ? -1 : at + 1;
                    to += size(path, to);
                }
                default -> {
                    var literal = glob.charAt(at) == '\\' ? at + 1 : at;
                    at = literal < end && glob.charAt(literal) == path.charAt(to) ? literal + 1 : -1;
                    to++;
                }
            }
            if (at < 0) {
                return -1;
            }
        }
        return to;
    }

    private int afterClass(int start, int end, int character) {
        var isNegated = start < end && glob.charAt(start) == '^';
        var first = isNegated ? start + 1 : start;
        var isIn = false;
        for (var at = first; at < end; ) {
            if (glob.charAt(at) == ']' && at > first) {
                return isIn == isNegated ? -1 : at + 1;
            }
            var low = classCharacter(at, end);
            var behind = low + size(glob, low);
            var isRange = behind < end && glob.charAt(behind) == '-';
            var high = isRange ? classCharacter(behind + 1, end) : low;
            isIn |= character(glob, low) <= character && character <= character(glob, high);
            at = high + size(glob, high);
        }
        return -1;
    }

    /** Index of the character of a class that begins here; the pattern's length where none does. */
    private int classCharacter(int at, int end) {
        var isNone = at >= end || glob.charAt(at) == '-' || glob.charAt(at) == ']';
        var literal = isNone || glob.charAt(at) != '\\' ? at : at + 1;
        return isNone || literal >= end ? glob.length() : literal;
    }

    private static int character(String bytes, int at) {
        var size = size(bytes, at);
        return size > 1 || (at < bytes.length() && bytes.charAt(at) < 0x80)
                ? new String(bytes.substring(at, at + size).getBytes(ISO_8859_1), UTF_8).codePointAt(0)
                : NO_CHARACTER;
    }

    /** How many bytes its character has. */
    private static int size(String bytes, int at) {
        var first = at < bytes.length() ? bytes.charAt(at) : 0;
        return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    }
}
