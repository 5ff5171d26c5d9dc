package dev.gitopsinterlock.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.config.ConfigProblem.Severity;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.policy.ReplacementScope;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.HashMap;
import java.util.Map;
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
        assertThat(read(Map.of()).problems()).isEmpty();
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
                    replacement.concurrent  | 10000    | must be a whole number between 1 and 9999
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
                "replacement.namespaces",
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
                "replacement.recreate-delay", "soon",
                "caller-token", "hunter2",
                "client-certificates.names", "kube-apiserver"));

        assertThat(result.problems())
                .extracting(ConfigProblem::property)
                .containsExactly(
                        "gitops-interlock.caller-token",
                        "gitops-interlock.replacement.recreate-delay",
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
        "replacement.recreate-delay, 0",
        "replacement.recreate-delay, 6s",
        "replacement.concurrent, 0",
        "jobs.allow-overrides, TRUE",
        "replacement.enabled, yes",
        "replacement.as, requester",
        "replacement.namespaces, 'shop,*'",
        "jobs.exempt-namespaces, Shop",
        "replacement.allow-job-annotations, on",
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
        "true, Reject, '', replacement.enabled, NO_AUTHENTICATION",
        "true, Reject, abcdefghij0123456789, , "
    })
    void editsTakeEffectForAnAuthenticatedApiServerAlone(
            String replacement,
            String policy,
            String token,
            @Nullable String warned,
            ReplacementScope.@Nullable Why off) {
        var words = new HashMap<>(Map.of("replacement.enabled", replacement, "jobs.on-immutable-change", policy));
        if (!token.isEmpty()) {
            words.put("caller-token", token);
        }

        var checked = read(words);

        assertThat(checked.problems())
                .extracting(problem -> problem.property().replace("gitops-interlock.", ""))
                .isEqualTo(Stream.ofNullable(warned).toList());
        assertThat(checked.problems()).allMatch(problem -> problem.severity() == Severity.WARNING);
        assertThat(checked.settings().levels().replacement())
                .isEqualTo(off == null ? new ReplacementScope.On(false, Set.of()) : new ReplacementScope.Off(off));
    }

    /** Refusals of others are not remembered, and nothing else limits how long these wait. */
    @ParameterizedTest
    @CsvSource({"abcdefghij0123456789, true", "'', false"})
    void nodePoolsWaitForAnAuthenticatedApiServerAlone(String token, boolean wait) {
        var checked = read(Map.of(
                "in-place-node-pools.controller", "system:hosted-cluster-config",
                "upgrade-plans.controller", "system:serviceaccount:system-upgrade:system-upgrade",
                "caller-token", token));

        assertThat(checked.problems()).isEmpty();
        assertThat(checked.settings().restartMakers())
                .containsKey(KnownMaker.UPGRADE_CONTROLLER)
                .extracting(users -> users.containsKey(KnownMaker.IN_PLACE_UPGRADER))
                .isEqualTo(wait);
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

    @Test
    void aFormerNameIsReportedWithTheNewOne() {
        assertThat(InterlockConfig.FORMER)
                .isNotEmpty()
                .allSatisfy((former, now) -> assertThat(
                                read(Map.of(former, now.byDefault())).problems())
                        .containsExactly(ConfigProblem.severe(
                                "gitops-interlock." + former,
                                "has another name now: set gitops-interlock." + now.name())));
    }

    private static CheckedSettings read(Map<String, String> words) {
        var properties = words.entrySet().stream()
                .collect(Collectors.toMap(word -> "gitops-interlock." + word.getKey(), Map.Entry::getValue));
        return SettingsReader.read(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(properties, "test", 100))
                .build());
    }
}
