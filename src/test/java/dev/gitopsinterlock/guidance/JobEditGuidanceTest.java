package dev.gitopsinterlock.guidance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.policy.UnknownPolicyValue;
import dev.gitopsinterlock.policy.UnknownPolicyValue.Level;
import dev.gitopsinterlock.testing.review.Refusals;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;

class JobEditGuidanceTest {

    private static final List<String> IMPERATIVES = List.of(
            "Add", "Apply", "Change", "Delete", "Fix", "Give", "Grant", "Leave", "Let", "Make", "Remove", "Replace",
            "Send", "Set", "Wait");

    private static final Set<GuidanceCode> RUN_NOTHING_AGAIN = Set.of(
            GuidanceCode.COPIED_JOB_MANIFEST,
            GuidanceCode.COMPLETIONS_WITHOUT_PARALLELISM,
            GuidanceCode.REPLACE_ACTIVE_JOB,
            GuidanceCode.REPLACE_JOB_WITH_FINALIZER,
            GuidanceCode.RIGHTS_MISSING,
            GuidanceCode.NEW_JOB_REFUSED,
            GuidanceCode.NOT_REPLACED_NOW,
            GuidanceCode.RUN_NOT_STARTED,
            GuidanceCode.OLD_JOB_GONE);

    @Property
    void messageIsOneShortLine(@ForAll("pages") GuidancePages pages, @ForAll("refusals") RefusedEdit refusal) {
        var message = refusal.status(pages).message();

        assertThat(message).hasSizeLessThan(Denial.MAX_LENGTH).matches("[ -~]+").doesNotContain("map[", "{", "}", "  ");
    }

    @Property
    void messageSaysRemedyThenRefusalThenLink(
            @ForAll("pages") GuidancePages pages, @ForAll("refusals") RefusedEdit refusal) {
        var message = refusal.status(pages).message();

        assertThat(message)
                .matches("(In the [A-Za-z' ]+, (not in the cluster, )?)?(?i:%s) .*"
                        .formatted(String.join("|", IMPERATIVES)))
                .containsSubsequence(" Job ", ", field is immutable: ")
                .endsWith(". " + pages.link(refusal.code().token()));
    }

    @Property
    void messageNamesTheJobAndTheFirstField(@ForAll("refusals") RefusedEdit refusal) {
        var message = shortened(refusal).status(Samples.LINKED).message();

        assertThat(message)
                .contains(shortened(refusal).refused().object().toString())
                .contains("field is immutable: " + refusal.refused().fields().getFirst());
    }

    @Property
    void messageSaysHowManyFieldsItLeavesOut(@ForAll("refusals") RefusedEdit refusal) {
        var message = shortened(refusal).status(Samples.LINKED).message();
        var list = message.substring(message.indexOf("field is immutable: "), message.lastIndexOf(". "));
        var named = list.split(", ", -1).length;
        var left = list.contains(" and ") ? Integer.parseInt(list.replaceAll(".* and (\\d+) more", "$1")) : 0;

        assertThat(named + left).isEqualTo(refusal.refused().fields().size());
    }

    @Property
    void causesAreFewAndDoNotRepeatTheirField(
            @ForAll("pages") GuidancePages pages, @ForAll("refusals") RefusedEdit refusal) {
        var causes = refusal.status(pages).details().orElseThrow().causes();

        assertThat(causes)
                .hasSize(Math.min(10, refusal.refused().fields().size()))
                .allSatisfy(cause -> assertThat(cause.message())
                        .contains("field is immutable")
                        .doesNotContain(cause.field() + ":", "map[")
                        .matches("[ -~]+")
                        .hasSizeLessThan(Denial.MAX_LENGTH));
        assertThat(causes.stream().map(Denial.Cause::field))
                .isEqualTo(refusal.refused().fields().stream().limit(10).toList());
    }

    @Property
    void firstCauseCarriesRemedyAndLink(@ForAll("refusals") RefusedEdit refusal) {
        var first = refusal.status(Samples.PAGES)
                .details()
                .orElseThrow()
                .causes()
                .getFirst()
                .message();
        var remedy = first.substring(0, first.indexOf(" (field is immutable)"));

        assertThat(first).endsWith(" " + refusal.code().token());
        assertThat(refusal.status(Samples.PAGES).message()).startsWith(remedy);
    }

    @Property
    void onlyOcReadsOcCommands(@ForAll("refusals") RefusedEdit refusal) {
        var commands = refusal.status(Samples.PAGES).message();

        assertThat(commands)
                .doesNotContainPattern(
                        refusal.requester() == Tool.OC ? "kubectl (-n|apply|replace)" : "\\boc (-n|apply)");
    }

    @Property
    void warningIsShortAndOneLine(@ForAll Level level, @ForAll String value, @ForAll("allowed") List<String> allowed) {
        var warning = new UnknownPolicyValue(level, "gitops-interlock.dev/on-immutable-change", value, allowed)
                .text(Samples.PAGES);

        assertThat(warning)
                .hasSizeLessThanOrEqualTo(Warning.MAX_LENGTH)
                .matches("[ -~]+")
                .startsWith("use ")
                .contains("on-immutable-change", level.noun());
    }

    @Property
    void warningOfAGoneJobSaysWhyWhereThereIsRoom(
            @ForAll @AlphaChars @StringLength(min = 1, max = 80) String job,
            @ForAll @AlphaChars @StringLength(min = 1, max = 400) String why) {
        var warning = new ObjectGone("Job", job, why).text(Samples.PAGES);

        assertThat(warning)
                .hasSizeLessThanOrEqualTo(Warning.MAX_LENGTH)
                .startsWith("apply again")
                .contains(job.substring(0, Math.min(job.length(), 60)));
        assertThat(new ObjectGone("Job", "db-migrate", "not today").text(Samples.PAGES))
                .contains("not today");
    }

    @Property
    void warningShowsAMistypedWord(@ForAll Level level) {
        var warning = new UnknownPolicyValue(
                        level, "gitops-interlock.dev/on-immutable-change", "rejct", List.of("Reject"))
                .text(Samples.PAGES);

        assertThat(warning).endsWith("rejct is unknown");
    }

    @Property
    void warningDoesNotShowAValueThatIsNoWord(@ForAll Level level, @ForAll("noWords") String value) {
        var warning = new UnknownPolicyValue(
                        level, "gitops-interlock.dev/on-immutable-change", value, List.of("Reject"))
                .text(Samples.PAGES);

        assertThat(warning).endsWith("its value is unknown");
    }

    @Property
    void adviceThatRunsTheJobAgainSaysWhatIsLost(@ForAll("refusals") RefusedEdit refusal) {
        assertThat(refusal.status(Samples.PAGES)
                        .message()
                        .contains("(old Pods and logs are lost; the Job must be safe to run again)"))
                .isNotEqualTo(RUN_NOTHING_AGAIN.contains(refusal.code()));
    }

    @Property
    void wordsOfOthersStayInOneShortLine(@ForAll String words) {
        var refusal = Refusals.of(
                GuidanceCode.NEW_JOB_REFUSED,
                Tool.ARGO_CD,
                Samples.JOB,
                List.of(Samples.IMAGE),
                words + "\nmap[a:b] " + words.repeat(20));

        assertThat(refusal.status(Samples.PAGES).message())
                .hasSizeLessThan(Denial.MAX_LENGTH)
                .doesNotContain("map[", "\n")
                .endsWith(". NewJobRefused");
    }

    @Example
    void longNamesAreCutAndLeftOutOfCommands() {
        var refusal = Refusals.of(
                GuidanceCode.JOB_EDIT, Tool.UNKNOWN, new ObjectName("shop", "a".repeat(64)), List.of(Samples.IMAGE));

        var message = refusal.status(Samples.PAGES).message();

        assertThat(message).contains("kubectl -n shop delete job <name>,", "Job shop/" + "a".repeat(60) + "... was");
    }

    @Example
    void everyFieldIsNamedWhereThereIsRoom() {
        var fields = IntStream.range(0, 5).mapToObj(i -> "spec.f" + i).toList();
        var refusal = Refusals.of(GuidanceCode.JOB_EDIT, Tool.UNKNOWN, Samples.JOB, fields);

        var message = refusal.status(Samples.PAGES).message();

        assertThat(message).contains("field is immutable: spec.f0, spec.f1, spec.f2, spec.f3, spec.f4. JobEdit");
    }

    @Example
    void refusalWithoutFieldIsABug() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Refusals.of(GuidanceCode.JOB_EDIT, Tool.UNKNOWN, Samples.JOB, List.of()));
    }

    /** With names and pages of usual length every message has room for a field. */
    private static RefusedEdit shortened(RefusedEdit refusal) {
        var name = refusal.refused().object().name();
        return Refusals.of(
                refusal.code(),
                refusal.requester(),
                new ObjectName("shop", name.substring(0, Math.min(40, name.length()))),
                refusal.refused().fields(),
                refusal.reason());
    }

    @Provide
    Arbitrary<RefusedEdit> refusals() {
        var codes = Arbitraries.of(Samples.codesOfJobs());
        return Combinators.combine(codes, Arbitraries.of(Tool.class), names(63), names(253), fields())
                .as((code, tool, namespace, name, fields) ->
                        Refusals.of(code, tool, new ObjectName(namespace, name), fields, Samples.reason(code)))
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<GuidancePages> pages() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .withChars('-', '.', '/')
                .ofMinLength(1)
                .ofMaxLength(72)
                .map(path -> PackagedPages.at(Optional.of("https://" + path + "/{code}")))
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<List<String>> allowed() {
        return Arbitraries.of(List.of("Reject", "Ignore"), List.of("Reject", "Replace", "GenerateName", "Ignore"));
    }

    @Provide
    Arbitrary<String> noWords() {
        return Arbitraries.strings().filter(value -> !value.matches("[A-Za-z][A-Za-z-]{0,19}"));
    }

    private static Arbitrary<String> names(int longest) {
        return Arbitraries.oneOf(
                Arbitraries.of("a", "a".repeat(63), "a".repeat(longest)),
                Arbitraries.strings()
                        .withCharRange('a', 'z')
                        .withCharRange('0', '9')
                        .withChars('-', '.')
                        .ofMinLength(1)
                        .ofMaxLength(longest));
    }

    /** As FieldPath writes them: at most 160 characters. */
    private static Arbitrary<List<String>> fields() {
        var step = Arbitraries.oneOf(
                Arbitraries.of(".template", ".spec", ".image", ".env", ".valueFrom", ".requests", ".nodeSelector"),
                Arbitraries.integers().between(0, 200).map(index -> "[" + index + "]"),
                Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(80).map(key -> "[" + key + "]"));
        var paths = step.list()
                .ofMaxSize(12)
                .map(steps -> "spec.template" + String.join("", steps))
                .map(path -> path.substring(0, Math.min(160, path.length())));
        return Arbitraries.frequencyOf(
                Tuple.of(9, paths.list().ofMinSize(1).ofMaxSize(15)),
                Tuple.of(1, paths.list().ofMinSize(1).ofMaxSize(200)));
    }
}
