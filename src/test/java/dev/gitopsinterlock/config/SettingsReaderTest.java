package dev.gitopsinterlock.config;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.config.ConfigProblem.Severity;
import dev.gitopsinterlock.config.Settings.CarryOutAs;
import dev.gitopsinterlock.config.Settings.PageAudience;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.policy.CarryOutScope;
import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.WhenActive;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
                        new Policy.Levels(
                                Policy.Values.DEFAULT,
                                true,
                                new CarryOutScope.Off(CarryOutScope.Why.SWITCHED_OFF),
                                Set.of("kube-system", "gitops-interlock")),
                        new Policy.Levels(
                                Policy.Values.DEFAULT,
                                true,
                                new CarryOutScope.Off(CarryOutScope.Why.SWITCHED_OFF),
                                Set.of("kube-system", "gitops-interlock")),
                        new Settings.Effects(Duration.ofMillis(500), Duration.ofMinutes(1), 10, CarryOutAs.AUTO),
                        new GatePolicy(
                                SyncHold.ENABLED,
                                Duration.ofMinutes(20),
                                Duration.ofMinutes(10),
                                new SyncScope(List.of("openshift-gitops", "argocd"), List.of("*"), Duration.ofHours(1)),
                                false),
                        false,
                        "system:serviceaccount:openshift-machine-config-operator:machine-config-controller",
                        Optional.empty(),
                        new Settings.Authentication(List.of(), false, Optional.empty()),
                        Path.of("/etc/gitops-interlock/tls"),
                        Duration.ofSeconds(10),
                        Optional.empty(),
                        Duration.ofSeconds(10),
                        true,
                        PackagedPages.withoutAddress(),
                        PageAudience.PORT_FORWARD,
                        Optional.empty(),
                        Settings.TlsEngine.BORING_SSL));
    }

    @Test
    void settingsGetTheirTypes() {
        var result = read(Map.ofEntries(
                entry("jobs.on-immutable-change", "Replace"),
                entry("jobs.when-active", "Replace"),
                entry("jobs.ttl-seconds-after-finished", "600"),
                entry("jobs.generate-name", "true"),
                entry("jobs.hold-restarts", "hooks"),
                entry("jobs.do-not-disrupt", "true"),
                entry("jobs.replace-settle", "1s"),
                entry("jobs.after-care-interval", "30s"),
                entry("jobs.concurrent-effects", "4"),
                entry("jobs.allow-overrides", "false"),
                entry("jobs.carry-out", "true"),
                entry("jobs.carry-out-namespaces", "shop,blog"),
                entry("jobs.carry-out-as", "ServiceAccount"),
                entry("jobs.job-overrides", "true"),
                entry("stateful-sets.carry-out", "true"),
                entry("jobs.exempt-namespaces", "interlock"),
                entry("machine-configs.sync-hold", "Disabled"),
                entry("machine-configs.max-hold", "5m"),
                entry("machine-configs.max-hold-required-pools", "2m"),
                entry("machine-configs.hold-for-jobs", "true"),
                entry("machine-configs.hold-for-kustomizations", "true"),
                entry("machine-configs.max-sync-age", "24h"),
                entry("machine-configs.controller", "system:serviceaccount:mco:controller"),
                entry("upgrade-plans.controller", "system:serviceaccount:cattle-system:upgrades"),
                entry("argo-cd.namespaces", "team-*"),
                entry("argo-cd.projects", "infra,apps"),
                entry("caller-token", "abcdefghij0123456789"),
                entry("additional-caller-token", "9876543210jihgfedcba"),
                entry("client-certificates.ca-file", "/callers/ca.crt"),
                entry("client-certificates.names", "kube-apiserver,another"),
                entry("certificate.directory", "/tls"),
                entry("certificate.poll-interval", "500ms"),
                entry("certificate.self-managed.secret", "trust"),
                entry("certificate.self-managed.hosts", "interlock.example.svc,::1"),
                entry("certificate.self-managed.webhook-configurations", "mutatingwebhookconfigurations/zz"),
                entry("certificate.self-managed.duration", "240h"),
                entry("certificate.self-managed.ca-duration", "720h"),
                entry("certificate.self-managed.overlap", "10m"),
                entry("certificate.self-managed.caller-token", "true"),
                entry("certificate.self-managed.caller-token-interval", "12h"),
                entry("limits.body-deadline", "1h"),
                entry("events.refused-edits", "false"),
                entry("guidance.pages", "http://wiki.example.com/jobs"),
                entry("status-page", "Everyone"),
                entry("tracing.endpoint", "http://collector:4318"),
                entry("tls.engine", "JDK")));

        assertThat(result.problems()).isEmpty();
        assertThat(result.settings())
                .isEqualTo(new Settings(
                        new Policy.Levels(
                                new Policy.Values(
                                        OnImmutableChange.REPLACE,
                                        WhenActive.REPLACE,
                                        Optional.of(600),
                                        true,
                                        HoldRestarts.HOOKS,
                                        true),
                                false,
                                new CarryOutScope.On(true, Set.of("shop", "blog")),
                                Set.of("kube-system", "interlock")),
                        new Policy.Levels(
                                Policy.Values.DEFAULT,
                                false,
                                new CarryOutScope.On(true, Set.of("shop", "blog")),
                                Set.of("kube-system", "interlock")),
                        new Settings.Effects(
                                Duration.ofSeconds(1), Duration.ofSeconds(30), 4, CarryOutAs.SERVICE_ACCOUNT),
                        new GatePolicy(
                                SyncHold.DISABLED,
                                Duration.ofMinutes(5),
                                Duration.ofMinutes(2),
                                new SyncScope(List.of("team-*"), List.of("infra", "apps"), Duration.ofHours(24)),
                                true),
                        true,
                        "system:serviceaccount:mco:controller",
                        Optional.of("system:serviceaccount:cattle-system:upgrades"),
                        new Settings.Authentication(
                                List.of("abcdefghij0123456789", "9876543210jihgfedcba"),
                                true,
                                Optional.of(new Settings.Callers(
                                        Path.of("/callers/ca.crt"), List.of("kube-apiserver", "another")))),
                        Path.of("/tls"),
                        Duration.ofMillis(500),
                        Optional.of(new Settings.SelfManaged(
                                "trust",
                                List.of("interlock.example.svc", "::1"),
                                List.of("mutatingwebhookconfigurations/zz"),
                                Duration.ofHours(240),
                                Duration.ofHours(720),
                                Duration.ofMinutes(10),
                                true,
                                Duration.ofHours(12))),
                        Duration.ofHours(1),
                        false,
                        PackagedPages.at(Optional.of("http://wiki.example.com/jobs/{code}")),
                        PageAudience.EVERYONE,
                        Optional.of(URI.create("http://collector:4318")),
                        Settings.TlsEngine.JDK));
    }

    @Test
    void everyProblemIsListedWithItsProperty() {
        var result = read(Map.of(
                "jobs.on-immutable-change", "reject",
                "jobs.allow-overrides", "yes",
                "certificate.poll-interval", "soon",
                "limits.body-deadline", "0s",
                "guidance.pages", "ftp://example.com/"));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly(
                        "gitops-interlock.certificate.poll-interval",
                        "gitops-interlock.guidance.pages",
                        "gitops-interlock.jobs.allow-overrides",
                        "gitops-interlock.jobs.on-immutable-change",
                        "gitops-interlock.limits.body-deadline");
        assertThat(result.problems()).extracting(ConfigProblem::severity).containsOnly(Severity.SEVERE);
    }

    @Test
    void aSelfManagedCertificateNeedsToBeKnownInTime() {
        var result = read(Map.of(
                "certificate.self-managed.secret", "trust",
                "certificate.self-managed.duration", "5h",
                "certificate.self-managed.ca-duration", "14h",
                "certificate.self-managed.caller-token-interval", "1h",
                "certificate.poll-interval", "30m"));

        assertThat(result.problems())
                .extracting(problem -> problem.toString().replace("gitops-interlock.certificate.", ""))
                .containsExactly(
                        "error: self-managed.hosts: must not be empty, because self-managed.secret is set",
                        "error: self-managed.webhook-configurations: must not be empty, because self-managed.secret is set",
                        "error: self-managed.ca-duration: must be at least three times self-managed.duration",
                        "error: self-managed.overlap: must be at least three times poll-interval",
                        "error: self-managed.duration: must be at least six times self-managed.overlap",
                        "error: self-managed.caller-token-interval: must be at least twice self-managed.overlap");
    }

    /** What SmallRye says of an empty value and of a wrong one, in our words. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    jobs.on-immutable-change | Recreate | must be one of Reject, Warn, Preview, Replace, GenerateName, Ignore
                    jobs.on-immutable-change | ''       | must be one of Reject, Warn, Preview, Replace, GenerateName, Ignore
                    jobs.exempt-namespaces   | a,B      | must be names of Namespaces with commas between them
                    jobs.exempt-namespaces   | ''       | must be names of Namespaces with commas between them
                    jobs.concurrent-effects  | 10000    | must be a whole number between 1 and 9999
                    certificate.directory    | ''       | must be a path
                    guidance.pages           | must be mine | must be an http or https address of at most 80 characters
                    limits.body-deadline     | soon     | must be a duration between 1 ms and 1 h, such as 10s
                    """)
    void problemReadsAsOneLine(String property, String word, String rule) {
        assertThat(read(Map.of(property, word)).problems())
                .singleElement()
                .hasToString("error: gitops-interlock.%s: %s".formatted(property, rule));
    }

    /** As the chart writes what is not set, and as Kubernetes does where a Secret's key is empty. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jobs.ttl-seconds-after-finished",
                "jobs.carry-out-namespaces",
                "caller-token",
                "additional-caller-token",
                "client-certificates.ca-file",
                "client-certificates.names",
                "tracing.endpoint"
            })
    void emptyIsNotSetWhereThereIsNoDefault(String property) {
        assertThat(read(Map.of(property, ""))).isEqualTo(read(Map.of()));
    }

    @Test
    void whatDependsOnAWrongSettingIsCheckedToo() {
        var result = read(Map.of(
                "jobs.replace-settle", "soon",
                "caller-token", "hunter2",
                "client-certificates.names", "kube-apiserver"));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly(
                        "gitops-interlock.caller-token",
                        "gitops-interlock.jobs.replace-settle",
                        "gitops-interlock.client-certificates.ca-file");
    }

    @Test
    void environmentVariablesHaveTheNamesOfTheProperties() {
        var environment = new EnvConfigSource(Map.of("GITOPS_INTERLOCK_JOBS_ALLOW_OVERRIDES", "false"), 300);

        var settings = SettingsReader.read(
                        new SmallRyeConfigBuilder().withSources(environment).build())
                .settings();

        assertThat(settings.levels().allowOverrides()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "jobs.on-immutable-change, REJECT",
        "jobs.on-immutable-change, Recreate",
        "jobs.when-active, Ignore",
        "jobs.ttl-seconds-after-finished, 1h",
        "jobs.ttl-seconds-after-finished, -1",
        "jobs.generate-name, yes",
        "jobs.hold-restarts, Hooks",
        "jobs.replace-settle, 0",
        "jobs.replace-settle, 6s",
        "jobs.concurrent-effects, 0",
        "jobs.allow-overrides, TRUE",
        "jobs.carry-out, yes",
        "jobs.carry-out-as, requester",
        "jobs.carry-out-namespaces, 'shop,*'",
        "jobs.exempt-namespaces, Shop",
        "jobs.job-overrides, on",
        "certificate.poll-interval, -1s",
        "certificate.poll-interval, 0",
        "certificate.poll-interval, 61m",
        "certificate.poll-interval, 10 seconds",
        "certificate.poll-interval, 99999999999999999999h",
        "limits.body-deadline, PT1X",
        "guidance.pages, /guidance",
        "guidance.pages, 'https://example.com/a b'",
        "guidance.pages, 'https://'",
        "guidance.pages, 'https://example.com/{code}#{code}'",
        "guidance.pages, 'https://example.com/{page}'",
        "guidance.pages, 'javascript:alert(1)'",
        "tls.engine, OpenSSL",
        "tracing.endpoint, 'collector:4317'",
        "tracing.endpoint, 'http://user:secret@collector:4318'",
        "tracing.endpoint, 'http://collector:4318/?a=b'"
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

    @ParameterizedTest
    @ValueSource(strings = {"5", "+5", " 5s ", "5S", "500ms", "1m", "1m30s", "2h", "3d", "pt5s", "PT1M30S", "P2D"})
    void durationsAreWrittenAsForQuarkus(String word) {
        assertThat(SettingType.UP_TO_TEN_YEARS.parse(word)).hasValue(DurationConverter.parseDuration(word));
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
        var problems = read(Map.of(
                        "client-certificates.ca-file", "/ca.crt", "client-certificates.names", "kube-apiserver"))
                .problems();

        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com/jobs, https://example.com/jobs/{code}",
        "https://example.com/jobs/, https://example.com/jobs/{code}",
        "https://example.com/find?q={code}&all=1, https://example.com/find?q={code}&all=1"
    })
    void pagesAreAFolderOrATemplate(String word, String template) {
        assertThat(read(Map.of("guidance.pages", word)).settings().pages().address())
                .contains(template);
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

    /** Nothing by default, and no way to trust everybody. */
    @ParameterizedTest
    @CsvSource({
        "false, Reject, '', , SWITCHED_OFF",
        "false, Replace, '', jobs.on-immutable-change, SWITCHED_OFF",
        "false, GenerateName, abcdefghij0123456789, jobs.on-immutable-change, SWITCHED_OFF",
        "true, Reject, '', jobs.carry-out, NO_AUTHENTICATION",
        "true, Reject, abcdefghij0123456789, , "
    })
    void editsAreCarriedOutForAnAuthenticatedApiServerAlone(
            String carryOut, String policy, String token, @Nullable String warned, CarryOutScope.@Nullable Why off) {
        var words = new HashMap<>(Map.of("jobs.carry-out", carryOut, "jobs.on-immutable-change", policy));
        if (!token.isEmpty()) {
            words.put("caller-token", token);
        }

        var checked = read(words);

        assertThat(checked.problems())
                .extracting(problem -> problem.property().replace("gitops-interlock.", ""))
                .isEqualTo(Stream.ofNullable(warned).toList());
        assertThat(checked.problems()).allMatch(problem -> problem.severity() == Severity.WARNING);
        assertThat(checked.settings().levels().carryOut())
                .isEqualTo(off == null ? new CarryOutScope.On(false, Set.of()) : new CarryOutScope.Off(off));
    }

    @ParameterizedTest
    @CsvSource({"caller-token, hunter2", "additional-caller-token, ABCDEFGHIJ0123456789"})
    void aTokenThatIsNoneIsNotRepeated(String property, String token) {
        var problems = read(Map.of(property, token)).problems();

        assertThat(problems).extracting(ConfigProblem::severity).containsExactly(Severity.SEVERE);
        assertThat(problems.toString()).contains(property).doesNotContain(token);
    }

    /** With these, and the defaults of the others. */
    @Test
    void aNameThatIsNoSettingIsReported() {
        var problems = read(Map.of("jobs.carry-out-namespace", "shop", "jobs.exempt-namespaces[0]", "shop"))
                .problems();

        assertThat(problems)
                .extracting(ConfigProblem::property)
                .containsExactly(
                        "gitops-interlock.jobs.carry-out-namespace", "gitops-interlock.jobs.exempt-namespaces[0]");
        assertThat(problems).allMatch(problem -> problem.severity() == Severity.SEVERE);
    }

    private static CheckedSettings read(Map<String, String> words) {
        var properties = words.entrySet().stream()
                .collect(Collectors.toMap(word -> "gitops-interlock." + word.getKey(), Map.Entry::getValue));
        return SettingsReader.read(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build());
    }
}
