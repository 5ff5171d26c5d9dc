package dev.gitopsinterlock.build;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The recordings of a terminal in the docs, by {@code make recording}. */
class RecordingsTest {

    private static final Pattern FILL = Pattern.compile("\\.(\\w+) \\{fill: #(\\w{6})}");
    private static final Pattern TEXT = Pattern.compile("<text[^>]* class=\"(\\w+)\"[^>]*>[^<]*[^<\\s]");

    /** Contrast as WCAG 2.2 counts it: 4.5 for text. */
    @ParameterizedTest
    @ValueSource(strings = {"demo", "check"})
    void everyTextCanBeRead(String name) {
        var svg = Texts.read(Project.directory().resolve("docs/images/%s.svg".formatted(name)));
        var lights = FILL.matcher(svg)
                .results()
                .collect(Collectors.toMap(fill -> fill.group(1), fill -> light(Integer.parseInt(fill.group(2), 16))));
        var used = TEXT.matcher(svg)
                .results()
                .map(text -> text.group(1))
                .distinct()
                .toList();

        assertThat(used)
                .contains("foreground")
                .hasSizeGreaterThan(1)
                .allSatisfy(colour -> assertThat((lights.get(colour) + 0.05) / (lights.get("background") + 0.05))
                        .isGreaterThanOrEqualTo(4.5));
    }

    private static double light(int colour) {
        return 0.2126 * light(colour, 16) + 0.7152 * light(colour, 8) + 0.0722 * light(colour, 0);
    }

    private static double light(int colour, int bits) {
        var part = (colour >> bits & 0xff) / 255.0;
        return part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
    }
}
