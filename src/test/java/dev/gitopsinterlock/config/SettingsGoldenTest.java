package dev.gitopsinterlock.config;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The documentation has every setting, as it is declared. */
class SettingsGoldenTest {

    @Test
    void everySettingIsDocumented() {
        GoldenFiles.compareSection(
                Path.of("docs/configuration.md"),
                "settings",
                InterlockConfig.ALL.stream()
                        .map(setting -> "| `%s` | %s | %s |\n"
                                .formatted(setting.property(), byDefault(setting), setting.sentence()))
                        .collect(joining("", "\n| property | default | meaning |\n|---|---|---|\n", "")));
    }

    /** A long name has places where its line may end. */
    private static String byDefault(Setting<?> setting) {
        return setting.byDefault().isEmpty()
                ? "not set"
                : "`%s`".formatted(setting.byDefault().replaceAll(":(?=[a-z-]{20})", ":`<br>`"));
    }
}
