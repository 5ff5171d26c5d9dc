package dev.gitopsinterlock.job.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.argocd.ArgoCdKeys;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.guidance.UnknownKey;
import dev.gitopsinterlock.policy.PolicySetting;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Secrets;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Requester;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** What every warning about a new Job has in common; which one it is, the review cases tell. */
class JobLintTest {

    private static final GuidancePages PAGES = PackagedPages.withoutAddress();
    private static final String ARGO_CD = "system:serviceaccount:argocd:argocd-application-controller";

    private static final List<String> KEYS = List.of(
            "argocd.argoproj.io/hook",
            "argocd.argoproj.io/hook-delete-policy",
            "argocd.argoproj.io/sync-options",
            "argocd.argoproj.io/sync-wave",
            "argocd.argoproj.io/hooks",
            "argocd.argoproj.io/frobnicate",
            "argoproj.io/hook",
            "helm.sh/hook",
            "helm.sh/hook-delete-policy");

    @Property(tries = 500)
    void warningIsOneShortLine(@ForAll("annotations") Map<String, String> annotations, @ForAll("users") String user) {
        assertThat(warnings(annotations, user))
                .allSatisfy(warning -> assertThat(warning)
                        .hasSizeLessThanOrEqualTo(Warning.MAX_LENGTH)
                        .matches("(use|add|check|give|move|remove|write) [ -~]+")
                        .doesNotContain("map[", "  "));
    }

    @Property(tries = 500)
    void warningContainsNoValue(@ForAll("annotations") Map<String, String> annotations, @ForAll("users") String user) {
        var values = annotations.values().stream()
                .flatMap(value -> Arrays.stream(value.split("[,=;]", -1)))
                .filter(JobLintTest::isSecret)
                .toList();

        assertThat(warnings(annotations, user))
                .allSatisfy(warning -> assertThat(values)
                        .allSatisfy(value -> assertThat(warning).doesNotContainIgnoringCase(value)));
    }

    /** Without this the two properties above could hold because nothing is ever said. */
    @Property
    void everySecretIsWarnedAbout(@ForAll("secrets") String secret) {
        assertThat(warnings(Map.of("argocd.argoproj.io/hook", secret), "alice")).hasSize(1);
        assertThat(warnings(Map.of("argocd.argoproj.io/sync-wave", secret), "alice"))
                .hasSize(1);
        assertThat(warnings(Map.of("argocd.argoproj.io/sync-options", "Force=" + secret), "alice"))
                .hasSize(1);
        assertThat(warnings(Map.of("argocd.argoproj.io/hooks", secret), "alice"))
                .hasSize(1);
    }

    @Property
    void oddKeysAreNotPrinted(@ForAll("oddNames") String name) {
        assertThat(warnings(Map.of("argocd.argoproj.io/" + name, "value"), "alice"))
                .isEmpty();
    }

    @Property
    void integersOfAnyFormAreWaves(@ForAll long wave, @ForAll("zeros") String zeros) {
        var digits = Long.toString(wave / 10).replace("-", "");
        assertThat(warnings(Map.of("argocd.argoproj.io/sync-wave", zeros + digits), "alice"))
                .isEmpty();
    }

    @Example
    void manyUnknownKeysAreFewWarnings() {
        var annotations = Map.of(
                "argocd.argoproj.io/a", "",
                "argocd.argoproj.io/b", "",
                "argocd.argoproj.io/c", "",
                "argocd.argoproj.io/d", "");

        assertThat(warnings(annotations, "alice"))
                .extracting(warning -> warning.charAt(warning.length() - 1))
                .containsExactly('a', 'b', 'c');
    }

    @Example
    void nearestKeyIsSuggested() {
        assertThat(ArgoCdKeys.unknown(Map.of("argocd.argoproj.io/hookDeletePolicy", "")))
                .containsExactly(new UnknownKey(
                        "Argo CD",
                        "argocd.argoproj.io/hookDeletePolicy",
                        Optional.of("argocd.argoproj.io/hook-delete-policy")));
        assertThat(ArgoCdKeys.unknown(Map.of("argocd.argoproj.io/sync-waves", "")))
                .containsExactly(new UnknownKey(
                        "Argo CD", "argocd.argoproj.io/sync-waves", Optional.of("argocd.argoproj.io/sync-wave")));
        assertThat(ArgoCdKeys.unknown(Map.of("argocd.argoproj.io/wave", "")))
                .containsExactly(new UnknownKey("Argo CD", "argocd.argoproj.io/wave", Optional.empty()));
        assertThat(ArgoCdKeys.unknown(Map.of("argcd.argoproj.io/hook", "")))
                .containsExactly(
                        new UnknownKey("Argo CD", "argcd.argoproj.io/hook", Optional.of("argocd.argoproj.io/hook")));
    }

    /** New in Argo CD 3.6. */
    @Example
    void ignoreDifferencesIsKnown() {
        assertThat(ArgoCdKeys.unknown(Map.of("argocd.argoproj.io/ignore-differences", "")))
                .isEmpty();
    }

    @Example
    void ourOwnKeysAreKnown() {
        var ours = Stream.concat(
                        Stream.of(
                                        PolicySettings.ON_IMMUTABLE_CHANGE,
                                        PolicySettings.WHEN_ACTIVE,
                                        PolicySettings.TTL_SECONDS_AFTER_FINISHED,
                                        PolicySettings.GENERATE_NAME,
                                        PolicySettings.HOLD_RESTARTS)
                                .map(PolicySetting::annotation),
                        Stream.of(
                                OurMetadata.REPLACED,
                                OurMetadata.WOULD_REPLACE,
                                OurMetadata.WOULD_BE_REFUSED,
                                OurMetadata.REPLACING,
                                OurMetadata.LAST_RUN,
                                OurMetadata.RETRIGGERED,
                                OurMetadata.RUN_OF))
                .collect(Collectors.toMap(key -> key, key -> ""));

        assertThat(warnings(ours, "alice")).isEmpty();
    }

    @Example
    void cutGenerateNameIsRecognised() {
        var job = job(Map.of("argocd.argoproj.io/hook", "Sync"));
        job.withObject("/metadata").put("generateName", "a".repeat(62)).put("name", "a".repeat(58) + "x7k2p");

        assertThat(JobLint.of(change(job, "alice"))).isEmpty();
    }

    @Example
    void keyThatCannotBePrintedIsABug() {
        assertThatIllegalArgumentException().isThrownBy(() -> new UnknownKey("Argo CD", "a b", Optional.empty()));
    }

    private static List<String> warnings(Map<String, String> annotations, String user) {
        return JobLint.of(change(job(annotations), user)).stream()
                .map(warning -> warning.text(PAGES))
                .toList();
    }

    private static ObjectNode job(Map<String, String> annotations) {
        var job = Jobs.manifest(Jobs.finished());
        annotations.forEach(job.withObject("/metadata/annotations")::put);
        return job;
    }

    private static Change change(ObjectNode job, String user) {
        return Change.of(
                ResourceType.JOB,
                Operation.CREATE,
                new ObjectName("shop", "db-migrate"),
                Trees.JSON.missingNode(),
                job,
                new Requester(user, "", List.of(), Map.of()),
                "",
                "",
                false);
    }

    private static boolean isSecret(String part) {
        return part.length() >= 16 && part.endsWith("7");
    }

    @Provide
    Arbitrary<Map<String, String>> annotations() {
        var words = Arbitraries.oneOf(
                secrets(),
                Arbitraries.of(
                        "PreSync",
                        "HookSucceeded",
                        "hook-failed",
                        "pre-install",
                        "Force=true",
                        "Force=True",
                        "Replace=true",
                        "1",
                        " "),
                secrets().map(secret -> "Replace=" + secret),
                Arbitraries.of("map[a:b]", "line\nbreak", "\u001b[31m"));
        var keys = Arbitraries.frequencyOf(
                Tuple.of(9, Arbitraries.of(KEYS)),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(70).map(name -> "argocd.argoproj.io/" + name)));
        var values = words.list().ofMaxSize(3).map(list -> String.join(",", list));
        return Combinators.combine(keys, values)
                .as(Map::entry)
                .list()
                .ofMaxSize(6)
                .uniqueElements(Map.Entry::getKey)
                .map(list -> list.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    /** No number, which a sync wave may be. */
    @Provide
    Arbitrary<String> secrets() {
        return Secrets.any().filter(secret -> !secret.matches("[0-9]+"));
    }

    @Provide
    Arbitrary<String> users() {
        return Arbitraries.of("alice", ARGO_CD);
    }

    @Provide
    Arbitrary<String> oddNames() {
        return Arbitraries.of(
                "a\nhook", "\u0000", "\u001b[31mred", "x".repeat(5000), "map[a:b]", "a b", "\"", "крюк", "\u202eright");
    }

    @Provide
    Arbitrary<String> zeros() {
        return Arbitraries.of("", "0", "-", "+", "-000", "+" + "0".repeat(40));
    }
}
