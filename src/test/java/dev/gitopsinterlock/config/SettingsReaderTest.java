package dev.gitopsinterlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.config.ConfigProblem.Severity;
import dev.gitopsinterlock.guidance.GuidanceText;
import dev.gitopsinterlock.job.JobPolicy;
import dev.gitopsinterlock.job.OnImmutableChange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

    @Test
    void defaultsAreGood() {
        var result = SettingsReader.read(new Words(Map.of()));

        assertThat(result.problems()).isEmpty();
        assertThat(result.settings())
                .isEqualTo(new Settings(
                        new JobPolicy.Levels(OnImmutableChange.REJECT, true),
                        Path.of("/etc/gitops-interlock/tls"),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        8,
                        new GuidanceText("https://gitops-interlock.dev/guidance/")));
    }

    @Test
    void settingsGetTheirTypes() {
        var result = SettingsReader.read(new Words(Map.of(
                "jobs.on-immutable-change", "Ignore",
                "jobs.allow-overrides", "false",
                "certificate.directory", "/tls",
                "certificate.poll-interval", "500ms",
                "limits.body-deadline", "1h",
                "limits.big-bodies-in-flight", "9999",
                "guidance.pages", "http://wiki.example.com/jobs")));

        assertThat(result.problems()).isEmpty();
        assertThat(result.settings())
                .isEqualTo(new Settings(
                        new JobPolicy.Levels(OnImmutableChange.IGNORE, false),
                        Path.of("/tls"),
                        Duration.ofMillis(500),
                        Duration.ofHours(1),
                        9999,
                        new GuidanceText("http://wiki.example.com/jobs/")));
    }

    @Test
    void everyProblemIsListedWithItsProperty() {
        var result = SettingsReader.read(new Words(Map.of(
                "jobs.on-immutable-change", "reject",
                "jobs.allow-overrides", "yes",
                "certificate.poll-interval", "soon",
                "limits.body-deadline", "0s",
                "limits.big-bodies-in-flight", "none",
                "guidance.pages", "ftp://example.com/")));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly(
                        "gitops-interlock.jobs.on-immutable-change",
                        "gitops-interlock.jobs.allow-overrides",
                        "gitops-interlock.certificate.poll-interval",
                        "gitops-interlock.limits.body-deadline",
                        "gitops-interlock.limits.big-bodies-in-flight",
                        "gitops-interlock.guidance.pages");
        assertThat(result.problems()).extracting(ConfigProblem::severity).containsOnly(Severity.SEVERE);
    }

    @Test
    void problemReadsAsOneLine() {
        var result = SettingsReader.read(new Words(Map.of("jobs.on-immutable-change", "Recreate")));

        assertThat(result.problems())
                .singleElement()
                .hasToString("error: gitops-interlock.jobs.on-immutable-change: is none of Reject, Ignore");
    }

    @ParameterizedTest
    @CsvSource({
        "jobs.on-immutable-change, REJECT",
        "jobs.on-immutable-change, Replace",
        "jobs.allow-overrides, TRUE",
        "certificate.poll-interval, -1s",
        "certificate.poll-interval, 0",
        "certificate.poll-interval, 61m",
        "certificate.poll-interval, 10 seconds",
        "certificate.poll-interval, 99999999999999999999h",
        "limits.body-deadline, PT1X",
        "limits.big-bodies-in-flight, 0",
        "limits.big-bodies-in-flight, -1",
        "limits.big-bodies-in-flight, 10000",
        "limits.big-bodies-in-flight, 1.5",
        "limits.big-bodies-in-flight, ' 8'",
        "guidance.pages, /guidance",
        "guidance.pages, 'https://example.com/a b'",
        "guidance.pages, 'https://'",
        "guidance.pages, 'javascript:alert(1)'"
    })
    void wrongValueIsAProblemOfItsProperty(String property, String word) {
        var result = SettingsReader.read(new Words(Map.of(property, word)));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly("gitops-interlock." + property);
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "9223372036854775807h", "PT0.0001S"})
    void oddDurationIsAProblem(String word) {
        var result = SettingsReader.read(new Words(Map.of("limits.body-deadline", word)));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly("gitops-interlock.limits.body-deadline");
    }

    @Test
    void directoryThatIsNoPathIsAProblem() {
        var result = SettingsReader.read(new Words(Map.of("certificate.directory", "\0")));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly("gitops-interlock.certificate.directory");
    }

    @Test
    void pagesMayHave80Characters() {
        var longest = "https://example.com/" + "a".repeat(60);

        assertThat(SettingsReader.read(new Words(Map.of("guidance.pages", longest)))
                        .problems())
                .isEmpty();
        assertThat(SettingsReader.read(new Words(Map.of("guidance.pages", longest + "a")))
                        .problems())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://user:hunter2@example.com/ x", "hunter2 hunter2"})
    void problemDoesNotRepeatTheValue(String secret) {
        var result = SettingsReader.read(new Words(Map.of("guidance.pages", secret)));

        assertThat(result.problems().toString()).contains("guidance.pages").doesNotContain("hunter2");
    }

    /** The defaults, and the words that a test sets in their place. */
    private record Words(Map<String, String> set) implements InterlockConfig {

        private static final Map<String, String> DEFAULTS = Map.of(
                "jobs.on-immutable-change", "Reject",
                "jobs.allow-overrides", "true",
                "certificate.directory", "/etc/gitops-interlock/tls",
                "certificate.poll-interval", "10s",
                "limits.body-deadline", "10s",
                "limits.big-bodies-in-flight", "8",
                "guidance.pages", "https://gitops-interlock.dev/guidance/");

        private String word(String property) {
            var words = new HashMap<>(DEFAULTS);
            words.putAll(set);
            return words.getOrDefault(property, "");
        }

        @Override
        public Jobs jobs() {
            return new Jobs() {
                @Override
                public String onImmutableChange() {
                    return word("jobs.on-immutable-change");
                }

                @Override
                public String allowOverrides() {
                    return word("jobs.allow-overrides");
                }
            };
        }

        @Override
        public Certificate certificate() {
            return new Certificate() {
                @Override
                public String directory() {
                    return word("certificate.directory");
                }

                @Override
                public String pollInterval() {
                    return word("certificate.poll-interval");
                }
            };
        }

        @Override
        public Limits limits() {
            return new Limits() {
                @Override
                public String bodyDeadline() {
                    return word("limits.body-deadline");
                }

                @Override
                public String bigBodiesInFlight() {
                    return word("limits.big-bodies-in-flight");
                }
            };
        }

        @Override
        public Guidance guidance() {
            return () -> word("guidance.pages");
        }
    }
}
