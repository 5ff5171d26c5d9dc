package dev.gitopsinterlock.guidance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The words as people read them, one file a code. {@code ./mvnw test -Dtest=GuidanceGoldensTest -Dgolden.update=true}
 * writes the files anew; read the difference before committing it.
 */
class GuidanceGoldensTest {

    private static final Path GOLDENS = Path.of("src/test/resources/guidance");
    private static final Path PAGES = Path.of("docs/guidance");

    static List<GuidanceCode> codes() {
        return Samples.codes();
    }

    @ParameterizedTest
    @MethodSource("codes")
    void wordsAreThoseOfTheGolden(GuidanceCode code) {
        GoldenFiles.compare(GOLDENS.resolve(code.token() + ".txt"), words(code));
    }

    @Test
    void noGoldenIsLeftOver() throws IOException {
        assertThat(names(GOLDENS, ".txt")).isEqualTo(tokens());
    }

    @ParameterizedTest
    @MethodSource("codes")
    void pageBeginsWithItsCode(GuidanceCode code) throws IOException {
        var page = PAGES.resolve(code.token() + ".md");

        assertThat(page).exists();
        assertThat(Files.readAllLines(page).stream()
                        .filter(line -> line.startsWith("#"))
                        .findFirst())
                .hasValue("# " + code.token());
    }

    /** People who follow the link look for what they have just read. */
    @Test
    void remedyIsTheFirstBlockOfItsPage() throws IOException {
        for (var said : Samples.PAGES.remedies().entrySet()) {
            var page = Files.readString(PAGES.resolve(said.getKey() + ".md"));
            assertThat(page.replaceAll("\\s+", " "))
                    .matches("# \\w+ ```text " + Pattern.quote(said.getValue()) + " ```.*");
        }
    }

    @ParameterizedTest
    @MethodSource("codes")
    void indexHasALineForTheCode(GuidanceCode code) throws IOException {
        assertThat(Files.readString(PAGES.resolve("README.md")))
                .containsOnlyOnce("\n- [%s](%s.md): ".formatted(code.token(), code.token()));
    }

    @Test
    void noPageIsLeftOver() throws IOException {
        assertThat(names(PAGES, ".md")).isEqualTo(tokens());
    }

    private static String words(GuidanceCode code) {
        return switch (code.token()) {
            case "UnknownPolicyValue" -> warnings(Samples.UNKNOWN_VALUE);
            case "RolloutAhead" -> warnings(Samples.AHEAD, Samples.AHEAD_OF_MANY);
            case "RolloutHeld" -> """
                    the machine-config controller's log:
                    %s

                    the Event on the MachineConfigPool:
                    %s
                    """.formatted(Samples.HELD.message(Samples.PAGES), Samples.HELD.reason());
            case "CustomResourceRule", "FixedVersion" ->
                "gitops-interlock check:\n" + Samples.PAGES.remedy(code.token()) + "\n";
            default -> GuidanceCode.OF_OBJECT_EDITS.contains(code) ? objectEdit(code) : jobEdit(code);
        };
    }

    private static String warnings(Warning... warnings) {
        return Stream.of(warnings)
                .map(warning -> "Warning: " + warning.text(Samples.PAGES) + "\n")
                .collect(Collectors.joining("", "kubectl, Helm:\n", ""));
    }

    private static String jobEdit(GuidanceCode code) {
        var refusal = Samples.refusal(code);
        var cause =
                refusal.status(Samples.PAGES).details().orElseThrow().causes().getFirst();
        return """
                Argo CD, Flux, Fleet, Helm:
                %s

                kubectl, oc:
                The Job "%s" is invalid: %s: %s
                """.formatted(
                        refusal.status(Samples.PAGES).message(),
                        refusal.refused().object().name(),
                        cause.field(),
                        cause.message());
    }

    /** In whole sentences, by kind and tool, in src/test/resources/reviews/objects. */
    private static String objectEdit(GuidanceCode code) {
        return Samples.PAGES.remedy(code.token()) + "\n";
    }

    private static Set<String> tokens() {
        return codes().stream().map(GuidanceCode::token).collect(Collectors.toSet());
    }

    /** Without README and the like, which are written in capitals. */
    private static Set<String> names(Path folder, String ending) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("README.md"))
                    .map(name -> name.endsWith(ending) ? name.substring(0, name.length() - ending.length()) : name)
                    .collect(Collectors.toSet());
        }
    }
}
