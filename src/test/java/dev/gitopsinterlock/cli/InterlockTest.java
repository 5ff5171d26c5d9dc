package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.run.Git;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class InterlockTest {

    private static final Path CASE = Project.directory().resolve("src/test/resources/check/argocd");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            check                               | 2 | specify BASE and TARGET
            check base.yaml                     | 2 | specify BASE and TARGET
            check - -                           | 2 | only one of BASE and TARGET can be the standard input
            check base.yaml nowhere.yaml        | 2 | there is no file or folder nowhere.yaml
            check base.yaml target.yaml -o xml  | 2 | expected one of [TEXT, JSON, SARIF, JUNIT, GITHUB, MARKDOWN]
            check base.yaml target.yaml --tool x | 2 | there is no tool x; these are: argocd
            check base.yaml target.yaml --kubernetes-version 1.33 | 2 | name one of 1.34, 1.35, 1.36, 1.37, or none
            check base.yaml - --fix             | 2 | --fix writes into files
            check base.yaml target.yaml --baseline no.txt | 2 | there is no file no.txt
            check base.yaml target.yaml --output-file no/x.txt | 2 | --output-file': there is no folder
            check base.yaml target.yaml --output-file /tmp | 2 | --output-file': cannot write /tmp
            check base.yaml target.yaml --write-baseline no/x.txt | 2 | --write-baseline': there is no folder
            check --git nowhere..HEAD           | 2 | there is no revision nowhere
            doctor --only nothing               | 2 | there is no check nothing; these are: configurations, order
            explain Nothing                     | 2 | there is no code or topic Nothing; gitops-interlock explain lists them all
            chekc                               | 2 | Did you mean: gitops-interlock check
            """)
    void wrongUseIsSaidInOneLine(String arguments, int code, String words) {
        var run = Run.in(CASE, arguments.split(" ", -1));

        assertThat(run.code()).isEqualTo(code);
        assertThat(run.errors()).contains(words).doesNotContain("Exception", "\tat ");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void whatIsNoYamlIsTroubleWithItsPlace(@TempDir Path directory) throws IOException {
        Files.writeString(directory.resolve("bad.yaml"), "kind: Job\nmetadata: [\n");
        var run = Run.in(directory, "check", "bad.yaml", "bad.yaml");

        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(run.errors()).startsWith("bad.yaml:3:1: ");
    }

    @Test
    void oneSideCanBeTheStandardInput() throws IOException {
        var run = Run.withInput(Files.readString(CASE.resolve("target.yaml")), CASE, "check", "base.yaml", "-");

        assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
        assertThat(run.out()).startsWith("-:14:11: error: Argo CD will fail");
    }

    @Test
    void aRangeOfGitIsAChange(@TempDir Path repository) throws IOException {
        Git.run(repository, "init", "-q", "-b", "main");
        commit(repository, "base.yaml");
        commit(repository, "target.yaml");
        Files.writeString(Files.createDirectory(repository.resolve("docs")).resolve("index.md"), "");

        var range = Run.in(repository, "check", "--git", "HEAD~1..HEAD", "-o", "github");
        var other = Run.in(repository, "check", "--git", "HEAD~1..HEAD", "--", "docs");
        var since = Run.in(repository, "check", "--git", "HEAD~1", "--fix");
        var fixed = Run.in(repository, "check", "--git", "HEAD~1");

        assertThat(range.out()).startsWith("::error file=apps/job.yaml,line=14,col=11,title=ArgoCdJobEdit::");
        assertThat(range.code()).isEqualTo(ExitCode.FINDINGS);
        assertThat(other.out()).isEqualTo("0 objects checked, nothing found\n");
        assertThat(since.out()).contains("+    argocd.argoproj.io/sync-options: Force=true");
        assertThat(fixed.code()).isEqualTo(ExitCode.NOTHING_FOUND);
    }

    /** What Helm rendered is not the chart. */
    @Test
    void whatIsNotFixedIsSaid() {
        var run = Run.in(CASE.resolveSibling("helm"), "check", "base.yaml", "target.yaml", "--fix");

        assertThat(run.out())
                .startsWith("--fix leaves HelmJobEdit to you: name the chart with --chart; ")
                .contains(
                        "helm.sh/hook: post-install,post-upgrade and helm.sh/hook-delete-policy: before-hook-creation\n");
        assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    }

    @Test
    void whatHelpsInHelmGoesIntoTheChart(@TempDir Path directory) throws IOException {
        var chart = Chart.copy(Example.of("helm-release"), directory.resolve("charts/migrations"));
        var template = chart.text("templates/migrate.yaml");
        var source = "# Source: platform/charts/shop/templates/migrate.yaml\n";
        for (var version : List.of("1.0", "1.1")) {
            Files.writeString(
                    directory.resolve(version + ".yaml"),
                    "---\n" + source + template.replace("{{ .Values.migrate.image }}", "migrate:" + version));
        }
        var input = Files.readString(directory.resolve("1.1.yaml"));
        String[] check = {"check", "1.0.yaml", "-", "--tool", "helm", "--fix", "--chart", "charts/migrations"};

        var fixed = Run.withInput(input, directory, check);

        assertThat(fixed.errors()).isEmpty();
        assertThat(fixed.out())
                .startsWith("--- a/charts/migrations/templates/migrate.yaml\n")
                .contains("+    helm.sh/hook: post-install,post-upgrade\n", "Job db-migrate becomes a hook. ")
                .endsWith("1 Job checked, nothing found\n");
        assertThat(chart.text("templates/migrate.yaml")).isEqualTo(template.replace("  name: db-migrate\n", """
                          name: db-migrate
                          annotations:
                            helm.sh/hook: post-install,post-upgrade
                            helm.sh/hook-delete-policy: before-hook-creation
                        """));

        // another chart's, and one that is none
        Files.writeString(chart.folder().resolve("Chart.yaml"), "name: other\n");
        assertThat(Run.withInput(input, directory, check).out()).startsWith("--fix leaves HelmJobEdit to you");
        Files.delete(chart.folder().resolve("Chart.yaml"));
        assertThat(Run.withInput(input, directory, check).errors()).contains("there is no chart in charts/migrations");
    }

    @Test
    void aTemplateIsFixedWhereItStands(@TempDir Path repository) throws IOException {
        Git.run(repository, "init", "-q", "-b", "main");
        Chart.copy(Example.of("helm-release"), repository)
                .edit("templates/migrate.yaml", "{{ .Values.migrate.image }}", "a:1");
        commit(repository, "base.yaml");
        new Chart(repository).edit("templates/migrate.yaml", "a:1", "a:2");

        var fixed = Run.in(repository, "check", "--git", "HEAD", "--tool", "helm", "--fix", "--", "templates");

        assertThat(fixed.out()).contains("+    helm.sh/hook: post-install,post-upgrade\n");
        assertThat(fixed.code()).isEqualTo(ExitCode.NOTHING_FOUND);
    }

    @Test
    void explainsEveryCode() {
        var list = Run.in(CASE, "explain");

        for (var code : PackagedPages.codes()) {
            assertThat(list.out()).contains(code + "\n");
            assertThat(Run.in(CASE, "explain", code).out()).startsWith(code + "\n");
        }
    }

    @Test
    void helpHasExamplesAndExitCodes() {
        var run = Run.in(CASE, "--help");

        assertThat(run.out())
                .contains("Usage: gitops-interlock", "check", "explain", "Examples:", "Exit codes:", "3   something");
        assertThat(Run.in(CASE, "--version").out()).startsWith("gitops-interlock 0.");
        assertThat(Run.in(CASE, "generate-completion").out()).contains("_complete_gitops-interlock");
    }

    @Test
    void helpSaysWhatTheProgramDoes() {
        var help = Run.in(CASE, "--help").out();

        assertThat(help.substring(0, help.indexOf("Commands:")))
                .contains("will be refused", "blocked or held", "webhook works");
    }

    /** So that each can be copied. */
    @ParameterizedTest
    @MethodSource("commands")
    void anExampleIsAWholeCommandInOneLine(CommandLine command) {
        var help = command.getUsageMessage();

        for (var example : command.getCommandSpec().usageMessage().footer()) {
            assertThat(help).contains(example + System.lineSeparator());
            assertThat(example).hasSizeLessThanOrEqualTo(80);
            var words = example.strip()
                    .replaceFirst("^helm template [^|]+ \\| ", "")
                    .split(" ", -1);
            var end = IntStream.range(0, words.length)
                    .filter(i -> words[i].equals("|") || words[i].equals(">"))
                    .findFirst()
                    .orElse(words.length);
            var skipped = words[0].equals("kubectl") ? 2 : 1;
            assertThat(String.join(" ", List.of(words).subList(0, skipped)))
                    .isIn("gitops-interlock", "kubectl interlock");
            assertThatCode(() -> Interlock.commandLine().parseArgs(Arrays.copyOfRange(words, skipped, end)))
                    .as(example)
                    .doesNotThrowAnyException();
        }
    }

    static Stream<CommandLine> commands() {
        var program = Interlock.commandLine();
        return Stream.concat(Stream.of(program), program.getSubcommands().values().stream());
    }

    private static void commit(Path repository, String manifest) throws IOException {
        Files.createDirectories(repository.resolve("apps"));
        Files.writeString(repository.resolve("apps/job.yaml"), Files.readString(CASE.resolve(manifest)));
        Git.run(repository, "add", "-A");
        Git.run(repository, "commit", "-q", "-m", manifest);
    }
}
