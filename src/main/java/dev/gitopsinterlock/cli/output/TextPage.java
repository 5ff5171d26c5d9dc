package dev.gitopsinterlock.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A page as text: of the Markdown that our own pages are written in, and no other.
 *
 * @param width at which prose and tables are wrapped; code stays as it is
 * @param strong how what stands out is written; its marks have no width
 * @param link what stands for a link, by its text and its target
 */
public record TextPage(int width, UnaryOperator<String> strong, Function<Link, String> link) {

    private static final String INDENT = "    ";
    private static final String GAP = "  ";

    private static final Pattern HEADING = Pattern.compile("#+ (.*)");
    private static final Pattern ITEM = Pattern.compile("(- |\\d+\\. )(.*)");
    private static final Pattern RULE = Pattern.compile("[|: -]+");
    private static final Pattern INLINE =
            Pattern.compile("(?<code>`[^`]*`)|\\[(?<text>[^]]*)]\\((?<target>[^)]*)\\)|\\*\\*(?<strong>[^*]*)\\*\\*");
    private static final Pattern MARKS = Pattern.compile("\u001b\\[[\\d;]*m");

    /** Stands for a space at which nothing is wrapped. */
    private static final char FIXED = '\u00a0';

    /** A link of a page. */
    public record Link(String text, String target) {}

    /** What people read. */
    public String of(String markdown) {
        return String.join(System.lineSeparator(), blocks(markdown.lines().toList(), width))
                        .replace(FIXED, ' ')
                + System.lineSeparator();
    }

    /** Words that stay in one line. */
    public static String whole(String words) {
        return words.replace(' ', FIXED);
    }

    private List<String> blocks(List<String> lines, int room) {
        var written = new ArrayList<String>();
        for (int at = 0; at < lines.size(); ) {
            var line = lines.get(at);
            var heading = HEADING.matcher(line);
            var item = ITEM.matcher(line);
            if (line.isBlank()) {
                written.add("");
                at++;
            } else if (line.startsWith("```")) {
                var end = end(lines, at + 1, each -> !each.startsWith("```"));
                lines.subList(at + 1, end).forEach(code -> written.add(INDENT + code));
                at = end + 1;
            } else if (heading.matches()) {
                written.add(strong.apply(inline(heading.group(1))));
                at++;
            } else if (line.startsWith("|")) {
                var end = end(lines, at, each -> each.startsWith("|"));
                written.addAll(table(lines.subList(at, end), room));
                at = end;
            } else if (item.matches()) {
                var indent = " ".repeat(item.group(1).length());
                var end = end(lines, at + 1, each -> each.isBlank() || each.startsWith(" "));
                var inside = new ArrayList<>(List.of(item.group(2)));
                lines.subList(at + 1, end)
                        .forEach(each -> inside.add(each.replaceFirst("^ {1," + indent.length() + "}", "")));
                var text = blocks(inside, room - indent.length());
                written.add(item.group(1) + text.getFirst());
                text.stream().skip(1).forEach(each -> written.add(each.isEmpty() ? "" : indent + each));
                at = end;
            } else {
                var end = end(lines, at + 1, TextPage::continues);
                written.addAll(wrap(inline(String.join(" ", lines.subList(at, end))), room));
                at = end;
            }
        }
        return written;
    }

    private static boolean continues(String line) {
        return !line.isBlank()
                && !line.startsWith("```")
                && !line.startsWith("|")
                && !HEADING.matcher(line).matches()
                && !ITEM.matcher(line).matches();
    }

    private static int end(List<String> lines, int from, Predicate<String> belongs) {
        return IntStream.range(from, lines.size())
                .filter(at -> !belongs.test(lines.get(at)))
                .findFirst()
                .orElse(lines.size());
    }

    private String inline(String text) {
        return INLINE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(part(found)));
    }

    private String part(MatchResult found) {
        if (found.group("code") != null) {
            return whole(found.group("code"));
        }
        return found.group("text") == null
                ? strong.apply(inline(found.group("strong")))
                : link.apply(new Link(inline(found.group("text")), found.group("target")));
    }

    /** As wide as it has to be, the widest column narrowed first; what does not fit even then is a list. */
    private List<String> table(List<String> lines, int room) {
        var rows = lines.stream()
                .filter(line -> !RULE.matcher(line).matches())
                .map(line -> Arrays.stream(line.substring(1).split("\\|", -1))
                        .map(cell -> inline(cell.strip()))
                        .toList())
                .toList();
        var columns = IntStream.range(0, rows.getFirst().size() - 1).boxed().toList();
        var widths = new ArrayList<Integer>();
        var least = new ArrayList<Integer>();
        for (var column : columns) {
            var cells = rows.stream().map(row -> row.get(column)).toList();
            widths.add(cells.stream().mapToInt(TextPage::length).max().orElse(0));
            least.add(cells.stream()
                    .flatMap(cell -> Arrays.stream(cell.split(" ", -1)))
                    .mapToInt(TextPage::length)
                    .max()
                    .orElse(0));
        }
        while (widths.stream().mapToInt(width -> width + GAP.length()).sum() - GAP.length() > room) {
            var widest = columns.stream()
                    .filter(column -> widths.get(column) > least.get(column))
                    .max(Comparator.comparing(widths::get));
            if (widest.isEmpty()) {
                return rows.stream()
                        .flatMap(row -> columns.stream()
                                .flatMap(column -> wrap(row.get(column), room - INDENT.length()).stream()
                                        .map(line -> column == 0 ? line : INDENT + line)))
                        .toList();
            }
            widths.set(widest.get(), widths.get(widest.get()) - 1);
        }
        var written = new ArrayList<String>();
        for (int each = 0; each < rows.size(); each++) {
            var row = rows.get(each);
            var cells = columns.stream()
                    .map(column -> wrap(row.get(column), widths.get(column)))
                    .toList();
            var height = cells.stream().mapToInt(List::size).max().orElse(0);
            for (int at = 0; at < height; at++) {
                var line = new StringBuilder();
                for (var column : columns) {
                    var cell = at < cells.get(column).size() ? cells.get(column).get(at) : "";
                    line.append(cell)
                            .repeat(' ', widths.get(column) - length(cell))
                            .append(GAP);
                }
                written.add(line.toString().stripTrailing());
            }
            if (each == 0) {
                written.add(columns.stream()
                        .map(column -> "-".repeat(widths.get(column)))
                        .collect(Collectors.joining(GAP)));
            }
        }
        return written;
    }

    private static List<String> wrap(String text, int room) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (var word : text.split(" ", -1)) {
            if (!line.isEmpty() && length(line) + 1 + length(word) > room) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** What is seen of it. */
    private static int length(CharSequence text) {
        return MARKS.matcher(text).replaceAll("").length();
    }
}
