package dev.gitopsinterlock.config;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pages of docs/guidance, as they are packaged. The first block of a page is what its denial says, so that page and
 * message cannot differ. A page that is missing, or has no such block, stops the service when it starts.
 */
public final class PackagedPages {

    private static final String FENCE = "```";
    private static final String SAID = FENCE + "text";

    /** A line of the list of warnings. */
    private static final Pattern WARNING =
            Pattern.compile("^- \\*\\*(?<code>\\w+)\\*\\* (?<words>`[^`]+`): (?<why>.+)$", Pattern.MULTILINE);

    private static final Map<String, String> REMEDIES = Stream.of(
                    Tool.codes(), GuidanceCode.OF_JOB_EDITS, GuidanceCode.OF_OBJECT_EDITS, GuidanceCode.OF_CHECKS)
            .flatMap(List::stream)
            .distinct()
            .collect(Collectors.toUnmodifiableMap(GuidanceCode::token, PackagedPages::remedy));

    private PackagedPages() {}

    /**
     * All pages.
     *
     * @param address where people find a page, as {@link GuidancePages#address}
     */
    public static GuidancePages at(Optional<String> address) {
        return new GuidancePages(address, REMEDIES);
    }

    /** All pages, where nobody has said where people find them. */
    public static GuidancePages withoutAddress() {
        return at(Optional.empty());
    }

    /** Every code with a page, in the order of the alphabet. */
    public static List<String> codes() {
        return Stream.of(
                        Tool.codes(),
                        GuidanceCode.OF_JOB_EDITS,
                        GuidanceCode.OF_OBJECT_EDITS,
                        GuidanceCode.OF_CHECKS,
                        GuidanceCode.OF_OTHERS)
                .flatMap(List::stream)
                .map(GuidanceCode::token)
                .distinct()
                .sorted()
                .toList();
    }

    /** A page as it is written; empty where there is none of that code. */
    public static Optional<String> text(String code) {
        return codes().contains(code) ? Optional.of(read(code)) : Optional.empty();
    }

    /** What several pages lead to, in the order of the page that has them, by the names that links end with. */
    public static Map<String, String> topics() {
        var topics = new LinkedHashMap<String, String>();
        for (var section : read("README").split("(?m)^(?=## )", -1)) {
            var heading = section.lines().findFirst().orElse("");
            if (heading.startsWith("## ")) {
                topics.put(topic(heading.substring(3)), section.strip() + "\n");
            }
        }
        return topics;
    }

    /** What {@code docs/advice.md} says of each code of a warning that has no page of its own, as a page. */
    public static Map<String, String> warnings() {
        var warnings = new TreeMap<String, String>();
        WARNING.matcher(read("advice"))
                .results()
                .forEach(row -> warnings.merge(
                        row.group("code"),
                        "# %s%n%n%s%n%n%s%n".formatted(row.group("code"), row.group("words"), row.group("why")),
                        (before, more) -> before + more.substring(more.indexOf('\n') + 1)));
        return warnings;
    }

    /** A heading as links end with it. */
    public static String topic(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
    }

    private static String remedy(GuidanceCode code) {
        var lines = read(code.token()).lines().toList();
        var begin = lines.indexOf(SAID) + 1;
        var block = lines.subList(begin, lines.size());
        var end = block.indexOf(FENCE);
        if (begin == 0 || end < 1) {
            throw new IllegalStateException("the page does not say what the denial says: " + code.token());
        }
        return String.join(" ", block.subList(0, end));
    }

    private static String read(String code) {
        return PackagedFile.text("/guidance/" + code + ".md");
    }
}
