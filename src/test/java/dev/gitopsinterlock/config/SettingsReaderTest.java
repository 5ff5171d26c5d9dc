package dev.gitopsinterlock.config;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.config.ConfigProblem.Severity;
import dev.gitopsinterlock.guidance.GuidanceText;
import dev.gitopsinterlock.job.JobPolicy;
import dev.gitopsinterlock.job.OnImmutableChange;
import dev.gitopsinterlock.job.WhenActive;
import dev.gitopsinterlock.machineconfig.GatePolicy;
import dev.gitopsinterlock.policy.SyncHold;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {

    @Test
    void defaultsAreGood() {
        var result = read(Map.of());

        assertThat(result.problems()).isEmpty();
        assertThat(result.settings())
                .isEqualTo(new Settings(
                        new JobPolicy.Levels(JobPolicy.Values.DEFAULT, true),
                        new Settings.Effects(Duration.ofMillis(500), Duration.ofMinutes(1), 10),
                        new GatePolicy(
                                SyncHold.ENABLED,
                                "system:serviceaccount:openshift-machine-config-operator:machine-config-controller",
                                Duration.ofMinutes(20),
                                Duration.ofMinutes(10),
                                new SyncScope(
                                        List.of("openshift-gitops", "argocd"), List.of("*"), Duration.ofHours(1))),
                        Optional.empty(),
                        Optional.empty(),
                        Path.of("/etc/gitops-interlock/tls"),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        8,
                        new GuidanceText("https://gitops-interlock.dev/guidance/")));
    }

    @Test
    void settingsGetTheirTypes() {
        var result = read(Map.ofEntries(
                entry("jobs.on-immutable-change", "Replace"),
                entry("jobs.when-active", "Replace"),
                entry("jobs.ttl-seconds-after-finished", "600"),
                entry("jobs.generate-name", "true"),
                entry("jobs.replace-settle", "1s"),
                entry("jobs.after-care-interval", "30s"),
                entry("jobs.concurrent-effects", "4"),
                entry("jobs.allow-overrides", "false"),
                entry("machine-configs.sync-hold", "Disabled"),
                entry("machine-configs.max-hold", "5m"),
                entry("machine-configs.max-hold-required-pools", "2m"),
                entry("machine-configs.max-sync-age", "24h"),
                entry("machine-configs.controller", "system:serviceaccount:mco:controller"),
                entry("argo-cd.namespaces", "team-*"),
                entry("argo-cd.projects", "infra,apps"),
                entry("caller-token", "abcdefghij0123456789"),
                entry("client-certificates.ca-file", "/callers/ca.crt"),
                entry("client-certificates.names", "kube-apiserver,another"),
                entry("certificate.directory", "/tls"),
                entry("certificate.poll-interval", "500ms"),
                entry("limits.body-deadline", "1h"),
                entry("limits.big-bodies-in-flight", "9999"),
                entry("guidance.pages", "http://wiki.example.com/jobs")));

        assertThat(result.problems()).isEmpty();
        assertThat(result.settings())
                .isEqualTo(new Settings(
                        new JobPolicy.Levels(
                                new JobPolicy.Values(
                                        OnImmutableChange.REPLACE, WhenActive.REPLACE, Optional.of(600), true),
                                false),
                        new Settings.Effects(Duration.ofSeconds(1), Duration.ofSeconds(30), 4),
                        new GatePolicy(
                                SyncHold.DISABLED,
                                "system:serviceaccount:mco:controller",
                                Duration.ofMinutes(5),
                                Duration.ofMinutes(2),
                                new SyncScope(List.of("team-*"), List.of("infra", "apps"), Duration.ofHours(24))),
                        Optional.of("abcdefghij0123456789"),
                        Optional.of(
                                new Settings.Callers(Path.of("/callers/ca.crt"), List.of("kube-apiserver", "another"))),
                        Path.of("/tls"),
                        Duration.ofMillis(500),
                        Duration.ofHours(1),
                        9999,
                        new GuidanceText("http://wiki.example.com/jobs/")));
    }

    @Test
    void everyProblemIsListedWithItsProperty() {
        var result = read(Map.of(
                "jobs.on-immutable-change", "reject",
                "jobs.allow-overrides", "yes",
                "certificate.poll-interval", "soon",
                "limits.body-deadline", "0s",
                "limits.big-bodies-in-flight", "none",
                "guidance.pages", "ftp://example.com/"));

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
        var result = read(Map.of("jobs.on-immutable-change", "Recreate"));

        assertThat(result.problems())
                .singleElement()
                .hasToString(
                        "error: gitops-interlock.jobs.on-immutable-change: is none of Reject, Replace, GenerateName,"
                                + " Ignore");
    }

    @ParameterizedTest
    @CsvSource({
        "jobs.on-immutable-change, REJECT",
        "jobs.on-immutable-change, Recreate",
        "jobs.when-active, Ignore",
        "jobs.ttl-seconds-after-finished, 1h",
        "jobs.ttl-seconds-after-finished, -1",
        "jobs.generate-name, yes",
        "jobs.replace-settle, 0",
        "jobs.replace-settle, 6s",
        "jobs.concurrent-effects, 0",
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
        var result = read(Map.of(property, word));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly("gitops-interlock." + property);
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "9223372036854775807h", "PT0.0001S"})
    void oddDurationIsAProblem(String word) {
        var result = read(Map.of("limits.body-deadline", word));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly("gitops-interlock.limits.body-deadline");
    }

    @Test
    void directoryThatIsNoPathIsAProblem() {
        var result = read(Map.of("certificate.directory", "\0"));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly("gitops-interlock.certificate.directory");
    }

    @ParameterizedTest
    @CsvSource({"ca-file, /ca.crt, names", "names, kube-apiserver, ca-file"})
    void clientCertificatesTakeBothSettings(String given, String word, String missing) {
        assertThat(read(Map.of("client-certificates." + given, word)).problems())
                .extracting(ConfigProblem::property)
                .containsExactly("gitops-interlock.client-certificates." + missing);
    }

    @Test
    void whoLetsKnownCallersInNeedsNoToken() {
        var problems = SettingsReader.read(config(Map.of(
                        "client-certificates.ca-file", "/ca.crt", "client-certificates.names", "kube-apiserver")))
                .problems();

        assertThat(problems).isEmpty();
    }

    @Test
    void pagesMayHave80Characters() {
        var longest = "https://example.com/" + "a".repeat(60);

        assertThat(read(Map.of("guidance.pages", longest)).problems()).isEmpty();
        assertThat(read(Map.of("guidance.pages", longest + "a")).problems()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://user:hunter2@example.com/ x", "hunter2 hunter2"})
    void problemDoesNotRepeatTheValue(String secret) {
        var result = read(Map.of("guidance.pages", secret));

        assertThat(result.problems().toString()).contains("guidance.pages").doesNotContain("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "true, Ignore, '', WARNING",
        "false, Replace, '', WARNING",
        "false, GenerateName, '', WARNING",
        "false, Reject, '', ",
        "true, Replace, abcdefghij0123456789, ",
        "false, Reject, hunter2, SEVERE",
        "false, Reject, ABCDEFGHIJ0123456789, SEVERE"
    })
    void whoCarriesEditsOutMustKnowItsCaller(
            String overrides, String policy, String token, @Nullable Severity severity) {
        var words = new HashMap<>(Map.of("jobs.allow-overrides", overrides, "jobs.on-immutable-change", policy));
        if (!token.isEmpty()) {
            words.put("caller-token", token);
        }

        var problems = SettingsReader.read(config(words)).problems();

        assertThat(problems)
                .extracting(ConfigProblem::severity)
                .isEqualTo(Stream.ofNullable(severity).toList());
        assertThat(problems.toString()).doesNotContain("hunter2", "ABCDE");
    }

    /** The settings as they come out of the configuration; the caller's token is a story of its own. */
    private static CheckedSettings read(Map<String, String> words) {
        var checked = SettingsReader.read(config(words));
        return new CheckedSettings(
                checked.settings(),
                checked.problems().stream()
                        .filter(problem -> !problem.property().endsWith("caller-token"))
                        .toList());
    }

    /** The defaults, and the words that a test sets. */
    private static InterlockConfig config(Map<String, String> words) {
        var properties = words.entrySet().stream()
                .collect(Collectors.toMap(word -> "gitops-interlock." + word.getKey(), Map.Entry::getValue));
        return new SmallRyeConfigBuilder()
                .withMapping(InterlockConfig.class)
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build()
                .getConfigMapping(InterlockConfig.class);
    }
}
