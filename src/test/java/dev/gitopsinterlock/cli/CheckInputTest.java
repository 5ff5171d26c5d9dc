package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.run.Git;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that somebody else may have written: links, odd names, texts that are no manifest. */
class CheckInputTest {

    private static final Path CASE = Project.directory().resolve("src/test/resources/check/argocd");
    private static final String FOUND = "job.yaml:14:11: error: ";

    @TempDir
    private Path directory;

    @BeforeEach
    void twoFolders() throws IOException {
        write("old/job.yaml", Files.readString(CASE.resolve("base.yaml")));
        write("new/job.yaml", Files.readString(CASE.resolve("target.yaml")));
    }

    static Stream<Arguments> unreadable() {
        var alias = "kind: Job\napiVersion: batch/v1\nspec: {template: {}}\n<<: &y [*y]\n";
        return Stream.of(
                Arguments.of("kind: Job # é", "new/bad.yaml is not UTF-8"),
                Arguments.of("kind: Job\nmetadata: [\n", "new/bad.yaml:3:1: "),
                Arguments.of(alias, "new/bad.yaml:4:5: an alias that contains itself"),
                Arguments.of(nested(), "an alias that contains itself, or more content than any manifest"),
                Arguments.of("\n".repeat(20_000_000), "new/bad.yaml is larger than 10 MiB"));
    }

    /** As deep as is allowed to be written, many times over: each list ends in the one before. */
    private static String nested() {
        var text = new StringBuilder("kind: Job\napiVersion: batch/v1\na0: &a0 []\n");
        for (int i = 1; i < 50; i++) {
            text.append("a%d: &a%d %s*a%d%s\n".formatted(i, i, "[".repeat(190), i - 1, "]".repeat(190)));
        }
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void aFileThatCannotBeReadIsNamedAndTheOthersAreLookedAt(String text, String words) throws IOException {
        Files.writeString(directory.resolve("new/bad.yaml"), text, ISO_8859_1);
        for (var run : List.of(inFolders(), inGit())) {
            assertThat(run.errors()).contains(words).doesNotContain("Exception");
            assertThat(run.out()).contains(FOUND);
            assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        }
    }

    @Test
    void anUnreadableEncodingIsNamed() throws IOException {
        Files.writeString(directory.resolve("new/bad.yaml"), "\ufeffkind: Job\n", UTF_16);

        assertThat(inFolders().errors()).isEqualTo("new/bad.yaml is not UTF-8\n");
    }

    /** A change that repairs or removes what nothing can have applied is not held up. */
    @ParameterizedTest
    @ValueSource(strings = {"kind: Job\nmetadata: {name: repaired}\napiVersion: batch/v1\n", ""})
    void aBrokenFileOfTheBaseIsNamedAlone(String repaired) throws IOException {
        write("old/broken.yaml", "kind: Job\nmetadata: [\n");
        if (!repaired.isEmpty()) {
            write("new/broken.yaml", repaired);
        }
        for (var run : List.of(inFolders(), inGit())) {
            assertThat(run.errors()).matches("in BASE, so not compared: (old|new)/broken.yaml:3:1: .*\n");
            assertThat(run.out()).contains(FOUND);
            assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
        }
    }

    /** Kubernetes' tools refuse it, too; what else is in the file is judged. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata: text                           | :5:1: Job is not checked: metadata has to be a map",
                "metadata: {name: x, annotations: [text]} | :5:21: Job x is not checked: metadata.annotations has to be a map",
                "metadata: {name: x, labels: 1}           | :5:21: Job x is not checked: metadata.labels has to be a map",
                "spec: text                               | :5:1: Job is not checked: spec has to be a map",
                "spec: {template: [text]}                 | :5:8: Job is not checked: spec.template has to be a map"
            })
    void anObjectThatIsMalformedIsNamedAndTheOthersAreLookedAt(String part, String words) throws IOException {
        var job = directory.resolve("new/job.yaml");
        var malformed = "apiVersion: batch/v1\nkind: Job\n#\n#\n" + part + "\n---\n";
        Files.writeString(job, malformed + Files.readString(job));
        var run = inFolders();

        assertThat(run.errors()).isEqualTo("new/job.yaml" + words + "\n");
        assertThat(run.out()).contains("1 Job checked, 1 finding");
        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(check(List.of("new", "old")).code()).isEqualTo(ExitCode.FINDINGS);
    }

    @Test
    void nothingIsLeftOfABaseThatIsBroken() throws IOException {
        write("old/job.yaml", "kind: Job\nmetadata: [\n");
        var run = check(List.of("old/job.yaml", "new/job.yaml"));

        assertThat(run.errors()).startsWith("old/job.yaml:3:1: ");
        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
    }

    /** As kubectl reads it; what other languages' templates are has to be rendered first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "z: \"1\"\t\t",
                "z: '1'\t# c",
                "z: [b]\t",
                "z: [b,\tc]",
                "z: {b: c}\t# d",
                "z: {b:\tc}",
                "z:\tb",
                "z: b\t# c",
                "z: |\t\n      b",
                "z:\t\n      b: c",
                "z: &a\tb",
                "z: !!str\t5"
            })
    void aTabBehindTextIsASpace(String line) throws IOException {
        var job = directory.resolve("new/job.yaml");
        Files.writeString(
                job, Files.readString(job).replace("metadata:\n", "metadata:\n  labels:\n    %s\n".formatted(line)));
        var run = inFolders();

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains("1 Job checked, 1 finding");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{%% if a %%}%s{%% endif %%}", "<%% if (a) %%>%s<%% end %%>", "{{ if a }}%s{{ end }}"})
    void aTemplateOfAnyLanguageIsLeftOut(String template) throws IOException {
        write("new/other.yaml", template.formatted("\nkind: Job\n"));
        var run = inFolders();

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).endsWith("1 Job checked, 1 finding; not judged until rendered: new/other.yaml\n");
    }

    @Test
    void aFileThatBecameAnErrorIsNamed() throws IOException {
        write("old/other.yaml", Files.readString(CASE.resolve("base.yaml")));
        write("new/other.yaml", "Error: chart not found\n");
        var words =
                "new/other.yaml has no manifest any more. Did rendering it fail? If all of them are to be removed, add --allow-empty\n";

        assertThat(inFolders().errors()).isEqualTo(words);
        assertThat(inFolders().code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(inFolders("--allow-empty").code()).isEqualTo(ExitCode.FINDINGS);

        write("new/other.yaml", Files.readString(CASE.resolve("base.yaml")));
        commit("new");
        write("new/other.yaml", "Error: chart not found\n");
        commit("new");
        assertThat(check(List.of("--git", "HEAD~1..HEAD")).errors()).isEqualTo(words);
    }

    /** A change is more than what Git tracks already. */
    @Test
    void aFileThatIsNotTrackedIsPartOfTheWorkTree() throws IOException {
        commit("old");
        write(".gitignore", "ignored.yaml");
        write("new/ignored.yaml", "kind: Job\nmetadata: [\n");
        Files.move(directory.resolve("old/job.yaml"), directory.resolve("old/moved.yaml"));
        Files.delete(directory.resolve("new/job.yaml"));
        write("old/moved.yaml", Files.readString(CASE.resolve("target.yaml")));
        for (var run : List.of(
                check(List.of("--git", "HEAD")),
                check(List.of("--git", "HEAD", "old")),
                Run.in(directory.resolve("new"), "check", "--git", "HEAD"))) {
            assertThat(run.errors()).isEmpty();
            assertThat(run.out()).startsWith("old/moved.yaml:14:11: error: ").endsWith("1 Job checked, 1 finding\n");
        }
        assertThat(check(List.of("--git", "HEAD", "new")).out()).startsWith("0 objects checked");
    }

    /** As where it was rendered to; what is not named itself, but around it, is still ignored. */
    @ParameterizedTest
    @CsvSource({
        "new/ignored.yaml, 1",
        "rendered, 2",
        "rendered/deep, 1",
        "rendered/deep/job.yaml, 1",
        ".hidden, 1",
        ".hidden/job.yaml, 1",
        "old/../rendered, 2",
        "new, 0",
        ".,0",
        "rendered :(glob)new/*.yaml .hidden, 3"
    })
    void aPathThatIsNamedIsReadEvenIfGitIgnoresIt(String paths, int jobs) throws IOException {
        write("rendered/.gitkeep", "");
        commit(".");
        write(".gitignore", "ignored.yaml\n/rendered/\n.*\n");
        for (var file : List.of("new/ignored", "rendered/job", "rendered/deep/job", ".hidden/job")) {
            write(file + ".yaml", Files.readString(CASE.resolve("base.yaml")));
        }

        var run = check(List.of("--git", "HEAD", "--"), paths.split(" ", -1));

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).startsWith(jobs + (jobs == 0 ? " objects" : jobs == 1 ? " Job" : " Jobs") + " checked");
    }

    /** Whatever somebody has set for people's eyes. */
    @Test
    void theChangeIsThatOfTheWholeRepository() throws IOException {
        inGit();
        Git.run(directory, "config", "diff.relative", "true");

        assertThat(Run.in(directory.resolve("old"), "check", "--git", "HEAD~1..HEAD")
                        .out())
                .contains("new/" + FOUND);
    }

    @Test
    void whatSharesItsNameAndNamesNoNamespaceIsNotJudged() throws IOException {
        for (var side : Map.of("old", "a", "new", "c").entrySet()) {
            write(
                    side.getKey() + "/job.yaml",
                    Stream.of(side.getValue(), "b")
                            .map(
                                    "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, immutable: true, data: {cluster: %s}}"
                                            ::formatted)
                            .collect(joining("\n---\n")));
        }
        var words = "ConfigMap x was not judged: several have this name, and no Namespace\n";

        assertThat(inFolders().out()).isEqualTo("1 ConfigMap checked, nothing found\n");
        assertThat(inFolders().errors()).isEqualTo(words);
        assertThat(inFolders().code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(inFolders("--strict").errors()).isEqualTo(words);
        assertThat(inFolders("--strict").code()).isEqualTo(ExitCode.TROUBLE);
    }

    /** Where each cluster has a folder, others have its name. */
    @Test
    void aNamespaceThatIsWrittenDownInAFileMakesNoNewObject() throws IOException {
        for (var cluster : List.of("a", "b")) {
            var job = Files.readString(CASE.resolve("base.yaml")).replaceFirst("  namespace: .*\n", "");
            write("old/" + cluster + "/job.yaml", job);
            write("new/" + cluster + "/job.yaml", job);
        }
        write("new/b/job.yaml", Files.readString(CASE.resolve("target.yaml")));

        assertThat(inFolders().out()).contains("new/b/" + FOUND).contains("3 Jobs checked, 2 findings");
    }

    /** By whoever set up the work tree; {@code git diff} shows nothing of it. */
    @ParameterizedTest
    @ValueSource(strings = {"--assume-unchanged", "--skip-worktree"})
    void whatGitWasToldToTakeAsUnchangedIsLookedAt(String told) throws IOException {
        commit("old");
        Git.run(directory, "update-index", told, "old/job.yaml");
        write("old/job.yaml", Files.readString(CASE.resolve("target.yaml")));

        for (var run : List.of(check(List.of("--git", "HEAD")), check(List.of("--git", "HEAD", "--", "old")))) {
            assertThat(run.errors()).isEmpty();
            assertThat(run.out()).contains("old/" + FOUND);
        }
        Files.delete(directory.resolve("old/job.yaml"));
        assertThat(check(List.of("--git", "HEAD", "--", "old")).errors()).isEmpty();
    }

    @Test
    void aPointerOfGitLfsIsNotWhatItPointsTo() throws IOException {
        write("new/large.yaml", pointer("a"));

        for (var run : List.of(inFolders(), inGit())) {
            assertThat(run.errors())
                    .isEqualTo("new/large.yaml is a pointer of Git LFS: run git lfs pull, and name files or folders,"
                            + " for --git sees the pointer alone\n");
            assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        }
    }

    @Test
    void aPointerOfGitLfsIsNamedAlsoWhereSomethingIsRenderedFromIt() throws IOException {
        write("chart/Chart.yaml", "{apiVersion: v2, name: shop, version: 1.0.0}");
        write("chart/files/app.conf", pointer("a"));
        commit(".");
        write("chart/files/app.conf", pointer("b"));
        var run = check(List.of("--git", "HEAD", "--strict"), "--render");

        assertThat(run.out()).contains("not judged until rendered: chart/files/app.conf");
        assertThat(run.errors()).contains("chart/files/app.conf was not judged");
    }

    private static String pointer(String content) {
        return "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 5\n".formatted(content.repeat(64));
    }

    @Test
    void aRevisionThatIsNotThereIsNamed() {
        commit("old");
        var run = check(List.of("--git", "nowhere...HEAD"));

        assertThat(run.errors()).contains("there is no revision nowhere").doesNotContain("fetch");
        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USE);
    }

    /** As CI services clone by default. */
    @ParameterizedTest
    @ValueSource(strings = {"HEAD~1..HEAD", "HEAD~1"})
    void aShallowCloneIsToldWhatItLacks(String range) throws IOException {
        commit("old");
        commit("new");
        Git.run(
                directory,
                "clone",
                "-q",
                "--depth=1",
                "file://" + directory,
                directory.resolve("clone").toString());
        var run = Run.in(directory.resolve("clone"), "check", "--git", range);

        assertThat(run.errors())
                .contains("there is no revision HEAD~1: this is a shallow clone; fetch all of the history")
                .contains("fetch-depth: 0");
        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USE);
    }

    @Test
    void branchesWithoutACommonCommitAreNamed() {
        commit("old");
        Git.run(directory, "checkout", "-q", "--orphan", "other");
        commit("new");
        var run = check(List.of("--git", "HEAD...master"));

        assertThat(run.errors()).contains("the ends of HEAD...master have no commit in common");
        assertThat(run.code()).isEqualTo(ExitCode.WRONG_USE);
    }

    /** As YAML allows it, which is what Kubernetes' tools read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "kind: # comment\n  Job",
                "kind: # comment\n  # and another\n  Job",
                "kind: \"Jo\\u0062\"",
                "kind: \"Jo\\x62\"",
                "\"kin\\u0064\": Job",
                "? kind\n: Job",
                "kind: !!str Job",
                "kind: !!str # comment\n  Job",
                "kind: >-\n  Job",
                "kind:     \n\n  'Job'",
                "? kind # comment\n: Job",
                "? >-\n  kind\n: Job",
                "x: &key kind\n*key : Job",
                "kind:\u2028 Job",
                "kind:\u0085  Job",
                "kind: Job\u2029x: b",
                "x: &job Job\nkind: *job"
            })
    void aKindIsSeenHoweverItIsWritten(String kind) throws IOException {
        write("new/job.yaml", Files.readString(CASE.resolve("target.yaml")).replace("kind: Job", kind));
        var run = inFolders();

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains("1 Job checked, 1 finding");
    }

    @Test
    void whatCannotHoldAJobMayBeAnything() throws IOException {
        Files.writeString(directory.resolve("new/fixture.json"), "{\"name\": \"é\"", ISO_8859_1);
        for (var run : List.of(inFolders(), inGit())) {
            assertThat(run.errors()).isEmpty();
            assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
        }
    }

    /** Of whatever kind it may be. */
    @ParameterizedTest
    @ValueSource(strings = {"&kind: ", "!a ", "kind: ", "- ", "# kind: Job\n", "kind:\n", "kind: \"", "\"kin\\u0"})
    void aTextThatRepeatsItselfIsRead(String text) throws IOException {
        write("new/long.yaml", "kind: " + text.repeat(100_000));

        assertThat(inFolders().out()).contains(FOUND);
    }

    @Test
    void moreThanFitsIsTroubleThatSaysWhatHelps() throws IOException {
        for (var i = 0; i < 9; i++) {
            write("new/%d.yaml".formatted(i), "\n".repeat(8_000_000));
        }
        var run = inFolders();

        assertThat(run.errors()).isEqualTo("more than 64 MiB to read: name fewer files or folders\n");
        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
    }

    @Test
    @Timeout(60)
    void nestedListsAreReadOnce() throws IOException {
        var job = "{kind: Job, apiVersion: batch/v1, metadata: {name: a}, spec: {template: {}}, x: ["
                + "1,".repeat(200_000)
                + "]}";
        write("new/lists.yaml", "{kind: List, items: [".repeat(90) + job + "]}".repeat(90));
        var run = inFolders();

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains("2 Jobs checked");
    }

    /** What an alias stands for is in memory once. */
    @Test
    @Timeout(60)
    void whatAliasesRepeatIsReadOnce() throws IOException {
        var application = new StringBuilder("apiVersion: argoproj.io/v1alpha1\nkind: Application\na0: &a0 [0]\n");
        for (int i = 1; i <= 18; i++) {
            application.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        write("new/applications.yaml", application.append("---\n").toString().repeat(3000));
        var run = inFolders();

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains(FOUND);
    }

    @ParameterizedTest
    @ValueSource(strings = {":(glob)**.yaml", "*.yaml", "-x.yaml", "ä.yaml"})
    void aNameIsOnlyAName(String name) throws IOException {
        write(name, Files.readString(CASE.resolve("base.yaml")));
        commit(".");
        write(name, Files.readString(CASE.resolve("target.yaml")));
        commit(".");
        var run = check(List.of("--git", "HEAD~1..HEAD"));

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains(name + FOUND.substring(FOUND.indexOf(':')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"link.yaml", "folder"})
    void aLinkIsNotFollowedAndThatIsSaid(String name) throws IOException {
        Files.move(directory.resolve("new/job.yaml"), write("outside/job.yaml", ""), REPLACE_EXISTING);
        var target = Path.of(name.equals("folder") ? "../outside" : "../outside/job.yaml");
        Files.createSymbolicLink(directory.resolve("new").resolve(name), target);
        for (var run : List.of(inFolders("--fix"), inGit(), inWorkTree("--fix", "--", "new"))) {
            assertThat(run.errors()).startsWith("left out, because links are not followed: new/%s\n".formatted(name));
            assertThat(run.out()).startsWith("0 objects checked, nothing found");
        }
        assertThat(directory.resolve("outside/job.yaml")).hasSameTextualContentAs(CASE.resolve("target.yaml"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "link/job.yaml"})
    void whatIsBehindALinkIsNoPartOfAChangeAndThatIsSaid(String named) throws IOException {
        Files.createSymbolicLink(directory.resolve("link"), Path.of("new"));
        commit(".");
        Git.run(directory, "commit", "-q", "--allow-empty", "-m", "other");
        for (var range : List.of("HEAD", "HEAD~1..HEAD")) {
            assertThat(check(List.of("--git", range, "--", named)).errors())
                    .isEqualTo("left out, because links are not followed: %s\n".formatted(named));
            assertThat(check(List.of("--git", range, "--strict", "--", named)).code())
                    .isEqualTo(ExitCode.TROUBLE);
            var absolute = directory.toRealPath().resolve(named).toString();
            assertThat(check(List.of("--git", range, "--strict", "--", absolute))
                            .code())
                    .isEqualTo(ExitCode.TROUBLE);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "link/job.yaml", "link.yaml"})
    void aLinkThatIsNamedIsReadAndNotWrittenThrough(String named) throws IOException {
        Files.createSymbolicLink(directory.resolve("link"), Path.of("new"));
        Files.createSymbolicLink(directory.resolve("link.yaml"), Path.of("new/job.yaml"));
        var run = Run.in(directory, "check", "old/job.yaml", named, "--fix");

        assertThat(run.errors()).isEmpty();
        assertThat(run.out())
                .startsWith("--fix leaves ArgoCdJobEdit to you: a link leads to ")
                .contains(":14:11: error: ");
        assertThat(directory.resolve("new/job.yaml")).hasSameTextualContentAs(CASE.resolve("target.yaml"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"chart", "chart/templates", "chart/templates/job.yaml"})
    void aChartIsNotWrittenThroughALink(String linked) throws IOException {
        var helm = CASE.resolveSibling("helm");
        var manifest = Files.readString(helm.resolve("target.yaml"));
        write("chart/Chart.yaml", "name: shop\n");
        write("chart/templates/job.yaml", manifest);
        Files.move(directory.resolve(linked), directory.resolve("outside"));
        Files.createSymbolicLink(directory.resolve(linked), directory.resolve("outside"));
        var base = helm.resolve("base.yaml").toString();
        var input = "---\n# Source: shop/templates/job.yaml\n" + manifest.replaceFirst("^---\n", "");
        var run = Run.withInput(input, directory, "check", base, "-", "--fix", "--chart", "chart");

        assertThat(run.out()).startsWith("--fix leaves HelmJobEdit to you: ");
        assertThat(directory.resolve("chart/templates/job.yaml")).hasContent(manifest);
    }

    /** As where the command failed that was to render it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "Error: chart not found\n", ": |\n", "kind: Namespace\n"})
    void aTargetWithoutTheObjectsOfTheBaseIsNoSuccess(String target) throws IOException {
        Files.createDirectories(directory.resolve("empty"));
        Files.writeString(directory.resolve("empty/one.yaml"), target);
        for (var sides : List.of(List.of("old", "-"), List.of("old", "empty"), List.of("old/job.yaml", "-"))) {
            var run = Run.withInput(target, directory, "check", sides.getFirst(), sides.getLast());

            assertThat(run.errors())
                    .contains("TARGET has no object that check knows, and BASE has 1. Did rendering TARGET fail?");
            assertThat(run.out()).startsWith("0 objects checked");
            assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        }
        assertThat(Run.withInput(target, directory, "check", "old", "-", "--allow-empty")
                        .code())
                .isEqualTo(ExitCode.NOTHING_FOUND);
    }

    @Test
    void aChangeThatTakesTheLastObjectAwayIsNoTrouble() throws IOException {
        Files.delete(directory.resolve("new/job.yaml"));
        write("new/other.yaml", "kind: Namespace\n");
        var run = inGit();

        assertThat(run.errors()).isEmpty();
        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_FOUND);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kustomization.yaml       | images: [{name: app, newTag: '%s'}]",
                "shop/values-prod.yaml    | image: %s",
                "Chart.yaml               | version: %s",
                "release.yaml             | {kind: HelmRelease, spec: {chart: {spec: {version: %s}}}}",
                "application.yml          | kind: Application # %s",
                "all.yaml                 | - kind: Kustomization # %s",
                "chart/templates/job.yaml | kind: Job: {{ %s }}",
                "chart/templates/any.yaml | kind: {{ .Values.%s }}",
                "patch.yaml               | {apiVersion: batch/v1, kind: Job, metadata: {name: %s}}",
                "ytt.yaml                 | #@ tag = '%s'",
                "overlay.yml              | kind: Service #@ data.values.%s"
            })
    void aChangedFileThatHasToBeRenderedIsNamed(String file, String text) throws IOException {
        write("old/" + file, text.formatted("a"));
        write("new/" + file, text.formatted("a"));
        assertThat(inFolders("--strict").out()).endsWith("1 Job checked, 1 finding\n");

        write("new/" + file, text.formatted("b"));

        assertThat(inFolders().out())
                .endsWith("1 Job checked, 1 finding; not judged until rendered: new/" + file + "\n");
        assertThat(inFolders().code()).isEqualTo(ExitCode.FINDINGS);
        var strict = inFolders("--strict");
        assertThat(strict.errors())
                .contains("new/" + file
                        + " was not judged: render both sides (--render, or your own commands), and compare those");
        assertThat(strict.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(inFolders("-o", "json").out()).contains("\"templates\" : [ \"new/" + file + "\" ]");
        commit(".");
        write("new/" + file, text.formatted("c"));
        commit(".");
        assertThat(check(List.of("--git", "HEAD~1..HEAD")).out())
                .isEqualTo(
                        "0 objects checked, so nothing was looked at; not judged until rendered: new/" + file + "\n");
    }

    /** In a chart, in a kustomization, and in other languages. */
    @ParameterizedTest
    @CsvSource({
        "chart/templates/_helpers.tpl, true",
        "chart/files/app.conf, true",
        "chart/charts/sub-1.2.tgz, true",
        "chart/README.md, false",
        "chart/templates/NOTES.txt, false",
        "chart/.helmignore, false",
        "overlay/app.properties, true",
        "overlay/env/prod.env, true",
        "overlay/main.go, false",
        "overlay/app, false",
        "overlay/prod.env, false",
        "plain/Kustomization, true",
        "plain/main.jsonnet, true",
        "plain/job.yaml.j2, true",
        "plain/main.go, false",
        "'Kustomization/a b.txt', false",
        "'my docs/x.txt', false",
        "'my chart/templates/x.txt', true"
    })
    void aChangedFileThatSomethingIsRenderedFromIsNamed(String file, boolean isNamed) throws IOException {
        for (var side : List.of("old/", "new/")) {
            write(side + "chart/Chart.yaml", "name: shop\n");
            write(side + "my chart/Chart.yaml", "name: shop\n");
            write(
                    side + "overlay/kustomization.yaml",
                    "configMapGenerator: [{name: a, files: [a=./app.properties], envs: [env/prod.env]}]\n");
            write(side + file, "a");
        }
        assertThat(inFolders().out()).endsWith("1 Job checked, 1 finding\n");

        write("new/" + file, "b");
        commit(".");
        write("new/" + file, "c");
        var words = isNamed ? "; not judged until rendered: new/" + file + "\n" : "1 finding\n";
        assertThat(inFolders().out()).endsWith(words);
        assertThat(inFolders("--strict").code()).isEqualTo(isNamed ? ExitCode.TROUBLE : ExitCode.FINDINGS);
        for (var git : List.of(List.of("--git", "HEAD"), List.of("--git", "HEAD..other"))) {
            if (git.contains("HEAD..other")) {
                Git.run(directory, "checkout", "-q", "-b", "other");
                commit(".");
                Git.run(directory, "checkout", "-q", "master");
            }
            assertThat(check(git).out())
                    .isEqualTo(
                            isNamed
                                    ? "0 objects checked, so nothing was looked at; not judged until rendered: new/"
                                            + file + "\n"
                                    : "0 objects checked, nothing found\n");
        }
    }

    /** Otherwise a misspelt one would be green forever. */
    @Test
    void aPathThatIsNotThereIsWrongUse() throws IOException {
        commit("old");
        commit("new");
        for (var range : List.of("HEAD~1..HEAD", "HEAD~1", "HEAD")) {
            var run = check(List.of("--git", range, "--", "new", "nwe"));

            assertThat(run.errors()).startsWith("there is no file or folder nwe");
            assertThat(run.code()).isEqualTo(ExitCode.WRONG_USE);
            // gone, changed, and not tracked
            write("untracked/job.yaml", "");
            assertThat(check(List.of("--git", range, "--", "old", "new/*.yaml", "untracked"))
                            .errors())
                    .isEmpty();
        }
    }

    @Test
    void aFolderMayBeEmpty() throws IOException {
        commit("old");
        Files.createDirectory(directory.resolve("empty"));

        assertThat(check(List.of("--git", "HEAD", "--", "empty")).errors()).isEmpty();
    }

    /** The rest is the program that it installs. */
    @ParameterizedTest
    @CsvSource({"templates/_helpers.tpl, true", "Chart.lock, true", "src/main.go, false", "app.conf, false"})
    void ofARepositoryThatIsAChartOnlyWhatIsRenderedIsNamed(String file, boolean isNamed) throws IOException {
        write("Chart.yaml", "name: shop\n");
        write(file, "a");
        commit(".");
        write(file, "b");

        assertThat(check(List.of("--git", "HEAD")).out())
                .isEqualTo("0 objects checked, "
                        + (isNamed ? "so nothing was looked at; not judged until rendered: " + file : "nothing found")
                        + "\n");
    }

    @Test
    void anotherRepositoryThatMovesIsNotJudged() throws IOException {
        commit("old");
        Git.run(directory, "update-index", "--add", "--cacheinfo", "160000," + "1".repeat(40) + ",sub");
        Git.run(directory, "commit", "-q", "-m", "sub");
        var git = List.of("--git", "HEAD~1..HEAD");

        assertThat(check(git).code()).isEqualTo(ExitCode.NOTHING_FOUND);
        var strict = check(git, "--strict");
        assertThat(strict.errors()).contains("sub was not judged: links are not followed");
        assertThat(strict.code()).isEqualTo(ExitCode.TROUBLE);
    }

    /** As the API server lists them, and as kubectl reads it. */
    @Test
    void anItemOfAListOfOneKindNeedNotNameIt() throws IOException {
        for (var side : Map.of("old", "base.yaml", "new", "target.yaml").entrySet()) {
            var job = Files.readString(CASE.resolve(side.getValue()))
                    .replace("apiVersion: batch/v1\n", "")
                    .replace("kind: Job\n", "")
                    .indent(2)
                    .replaceFirst("  metadata", "- metadata");
            write(side.getKey() + "/job.yaml", "apiVersion: batch/v1\nkind: JobList\nitems:\n" + job);
        }

        assertThat(inFolders().out()).contains("1 Job checked, 1 finding");
        assertThat(inFolders("--fix").out()).contains("+      argocd.argoproj.io/sync-options: Force=true");
    }

    /** Longer than what a reader takes at once, and with characters that have two units. */
    @Test
    void jsonObjectsBehindEachOtherAreFoundHoweverLongTheyAre() throws IOException {
        for (var side : List.of("old", "new")) {
            write(
                    side + "/job.yaml",
                    Stream.of("a", "b", "c", "d")
                            .map(name -> longJob(name, "\ud83d\ude00 \\\" }".repeat(10_000)))
                            .collect(joining("\n")));
        }
        assertThat(inFolders().errors()).isEmpty();
        assertThat(inFolders().out()).contains("4 Jobs checked");
    }

    private static String longJob(String name, String text) {
        return "{\"kind\":\"Job\",\"apiVersion\":\"batch/v1\",\"metadata\":{\"name\":\"%s\"},\"x\":\"%s\",\"spec\":{\"template\":{}}}"
                .formatted(name, text);
    }

    /** What kubectl reads no further than the first object, or not at all. */
    @ParameterizedTest
    @ValueSource(strings = {"%s text", "%s, %s", "---\n%s%s", "%s{\"kind\": \"Job\""})
    void whatIsBehindAJsonObjectAndIsNoneIsNamed(String text) throws IOException {
        var job =
                "{\"kind\": \"Job\", \"apiVersion\": \"batch/v1\", \"metadata\": {\"name\": \"a\"}, \"spec\": {\"template\": {}}}";
        write("new/bad.json", text.formatted(job, job));
        var run = inFolders();

        assertThat(run.errors()).startsWith("new/bad.json:");
        assertThat(run.out()).contains(FOUND);
        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
    }

    private Run inFolders(String... options) {
        return check(List.of("old", "new"), options);
    }

    /** The same change as two commits. */
    private Run inGit() {
        commit("old");
        commit("new");
        return check(List.of("--git", "HEAD~1..HEAD"));
    }

    private void commit(String folder) {
        Git.run(directory, "init", "-q", "-b", "master");
        Git.run(directory, "rm", "-q", "-r", "--cached", "--ignore-unmatch", ".");
        Git.run(directory, "add", folder);
        Git.run(directory, "commit", "-q", "-m", folder);
    }

    private Run inWorkTree(String... options) {
        return check(List.of("--git", "HEAD~1"), options);
    }

    private Run check(List<String> sides, String... options) {
        return Run.in(
                directory,
                Stream.of(Stream.of("check"), sides.stream(), Stream.of(options))
                        .flatMap(Function.identity())
                        .toArray(String[]::new));
    }

    private Path write(String file, String text) throws IOException {
        var path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }
}
