package dev.gitopsinterlock.config;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.build.chart.SettingValue;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation has every setting, as it is declared, and each one reaches those who use it. */
class SettingsGoldenTest {

    /** One of them is right for any setting that is no choice of words. */
    private static final String[] WORDS = {
        "3",
        "true",
        "false",
        "0".repeat(20),
        "http://a",
        "system:serviceaccount:a:b",
        "validatingwebhookconfigurations/b"
    };

    /** So that every other setting has an effect. */
    private static final Map<String, String> ALL_ON = Map.of(
            "replacement.enabled", "true",
            "replacement.stateful-sets", "true",
            "client-certificates.ca-file", "/ca.crt",
            "client-certificates.names", "apiserver",
            "certificate.self-managed.secret", "trust",
            "certificate.self-managed.hosts", "interlock",
            "certificate.self-managed.webhook-configurations", "mutatingwebhookconfigurations/a");

    /** What a setting does, the chart's README says of the value. */
    @Test
    void everySettingIsDocumented() {
        var likeTheirValues = InterlockConfig.ALL.stream()
                .filter(setting -> setting.sentence().isEmpty())
                .map(setting -> "`%s`".formatted(setting.property()))
                .collect(joining(",\n", "\n\n", ".\n"));
        var others = InterlockConfig.ALL.stream()
                .filter(setting -> !setting.sentence().isEmpty())
                .map(setting ->
                        "| `%s` | %s | %s |\n".formatted(setting.property(), byDefault(setting), meaning(setting)))
                .collect(joining("", "\n| property | default | value, or meaning |\n|---|---|---|\n", ""));

        GoldenFiles.compareSection(Path.of("docs/configuration.md"), "settings", likeTheirValues + others);
    }

    private static String meaning(Setting<?> setting) {
        var value = SettingValue.name(setting);
        return value.isEmpty() ? setting.sentence() : "`%s`; %s".formatted(value, setting.sentence());
    }

    /** A long name has places where its line may end. */
    private static String byDefault(Setting<?> setting) {
        return setting.byDefault().isEmpty()
                ? "not set"
                : "`%s`".formatted(setting.byDefault().replaceAll(":(?=[a-z-]{20})", ":`<br>`"));
    }

    /** What another word changes. */
    @Test
    void everySettingReachesThoseWhoUseIt() {
        var before = fields("settings", Settings.of(ALL_ON));
        GoldenFiles.compare(
                Path.of("src/test/resources/settings.txt"),
                InterlockConfig.ALL.stream()
                        .map(setting -> {
                            var word = another(setting);
                            var words = new HashMap<>(ALL_ON);
                            words.put(setting.name(), word);
                            var after = fields("settings", Settings.of(words));
                            after.entrySet().removeAll(before.entrySet());
                            return "%s=%s: %s%n".formatted(setting.name(), word, after);
                        })
                        .collect(joining()));
    }

    private static String another(Setting<?> setting) {
        var choice = setting.type().rule().replace("must be one of ", "").split(", ");
        return Stream.of(WORDS, choice)
                .flatMap(Stream::of)
                .filter(setting.type()::accepts)
                .filter(word -> !word.equals(ALL_ON.getOrDefault(setting.name(), setting.byDefault())))
                .findFirst()
                .orElseThrow();
    }

    /** By their paths. */
    private static Map<String, String> fields(String path, Object value) {
        var fields = new TreeMap<String, String>();
        switch (value) {
            case Optional<?> optional when optional.isPresent() -> fields.putAll(fields(path, optional.get()));
            case Record object -> {
                for (var component : object.getClass().getRecordComponents()) {
                    fields.putAll(fields(path + "." + component.getName(), read(object, component)));
                }
            }
            case Collection<?> list ->
                fields.put(
                        path,
                        list.stream().map(String::valueOf).sorted().toList().toString());
            default -> fields.put(path, value.toString());
        }
        return fields;
    }

    private static Object read(Record object, RecordComponent component) {
        try {
            return component.getAccessor().invoke(object);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
