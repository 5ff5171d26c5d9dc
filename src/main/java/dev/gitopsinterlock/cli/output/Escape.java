package dev.gitopsinterlock.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of objects and files come from whoever opened the pull request, and a CI service obeys lines of its log: GitHub
 * what begins with {@code ::}, or has {@code ##[} anywhere; Azure {@code ##vso[}, TeamCity {@code ##teamcity[}.
 */
public final class Escape {

    /** What nobody sees, or what moves others around; XML has no way to write some of it. */
    private static final Pattern INVISIBLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private static final Pattern INVISIBLE_BUT_NEWLINE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}&&[^\\n]]");
    private static final Pattern COMMAND = Pattern.compile("^[\\s\\p{Z}]*:(?=:)|#(?=#\\w*\\[)");

    private static final Pattern MARKUP = Pattern.compile("[\\\\`*_<>\\[\\]|&~]");
    private static final Pattern MENTION_OR_LINK = Pattern.compile("[@#]|:(?=//)|(?i:www)(?=\\.)");

    private Escape() {}

    /** For one line: a terminal's, a log's, a text in XML. */
    public static String line(String text) {
        return COMMAND.matcher(INVISIBLE.matcher(text.replace('\t', ' ')).replaceAll(Escape::unicode))
                .replaceAll("$0 ");
    }

    /** What may have several lines. */
    public static String lines(String text) {
        return text.lines().map(Escape::line).collect(Collectors.joining(System.lineSeparator()));
    }

    /** Prints lines: what the format says stays as it is, and each argument is part of its line. */
    public static void printf(PrintWriter out, String format, Object... arguments) {
        var words = Arrays.stream(arguments)
                .map(argument -> argument instanceof Number ? argument : line(argument.toString()))
                .toArray();
        out.printf(format, words);
    }

    /**
     * For a cell of a table, or a heading: no markup, and no mention or link of GitHub's or GitLab's either, for which a
     * character without width comes between.
     */
    public static String markdown(String text) {
        return MENTION_OR_LINK
                .matcher(MARKUP.matcher(line(text)).replaceAll("\\\\$0"))
                .replaceAll("$0&#8203;");
    }

    /** JSON that reads the same. */
    public static String json(JsonNode node) {
        return COMMAND.matcher(
                        INVISIBLE_BUT_NEWLINE.matcher(node.toPrettyString()).replaceAll(Escape::unicode))
                .replaceAll("\\\\u0023");
    }

    private static String unicode(MatchResult found) {
        return found.group().chars().mapToObj("\\\\u%04x"::formatted).collect(Collectors.joining());
    }
}
