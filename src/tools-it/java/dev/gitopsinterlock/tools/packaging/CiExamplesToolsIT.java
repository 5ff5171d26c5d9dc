package dev.gitopsinterlock.tools.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.cli.CliBuild;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the examples for CI, on a clone whose branch changes the image of a Job, with the variables that the services set. */
class CiExamplesToolsIT {

    private static final Path EXAMPLES = Project.directory().resolve("examples").resolve("ci");
    private static final Path CASE = Project.directory().resolve("src/test/resources/check/unknown-tool");
    private static final String VERSION = "0.0.0";

    private static Map<String, String> where;

    @TempDir
    private Path home;

    private Path clone;

    @BeforeAll
    static void build(@TempDir Path downloads) throws IOException {
        var archive = CliBuild.build(downloads, VERSION, "native");
        var sum = bash(Path.of("/"), Map.of(), "sha256sum '%s'".formatted(archive))
                .orFail()
                .out();
        where = Map.of("DOWNLOADS", downloads.toUri().toString(), "VERSION", VERSION, "SHA256", sum.substring(0, 64));
    }

    @BeforeEach
    void branch() throws IOException {
        bash(home, Map.of(), """
                git init -q --bare -b main origin.git
                git clone -q origin.git clone 2> /dev/null
                cd clone
                git config user.name test && git config user.email test@example.com
                git checkout -q -b main
                mkdir -p root shop/jobs-für-alle
                echo '{apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: shop}}}' > root/shop.yaml
                cp '%1$s/base.yaml' shop/jobs-für-alle/migrate.yaml
                git add . && git commit -qm base && git push -q origin main
                git checkout -q -b change
                cp '%1$s/target.yaml' shop/jobs-für-alle/migrate.yaml
                git commit -qam change
                """.formatted(CASE)).orFail();
        clone = home.resolve("clone");
    }

    @Test
    void onGitHub() throws IOException {
        var steps = example("github-actions.yml").at("/jobs/check/steps");
        var added = Files.createFile(home.resolve("path"));
        var variables = new HashMap<>(where);
        variables.put("GITHUB_PATH", added.toString());
        variables.put("GITHUB_BASE_REF", "main");
        // as many containers have it
        variables.put("LC_ALL", "C");
        bash(home, variables, steps.path(1).path("run").asText()).orFail();
        variables.put("PATH", Files.readString(added).strip() + ":" + System.getenv("PATH"));

        var check = bash(clone, variables, steps.path(2).path("run").asText());

        assertThat(check.err()).isEmpty();
        assertThat(check.out())
                .startsWith("::error file=shop/jobs-für-alle/migrate.yaml,line=7,")
                .contains("title=ArgoCdJobEdit");
        assertThat(check.exitCode()).isEqualTo(1);
        var named = bash(clone, variables, "gitops-interlock check --git main -- shop/jobs-für-alle");
        assertThat(named.out()).as(named.err()).endsWith("1 Job checked, 1 finding\n");
        bash(clone, Map.of(), "git reset -q --hard origin/main").orFail();
        assertThat(bash(clone, variables, steps.path(2).path("run").asText()).exitCode())
                .isZero();
    }

    @Test
    void onGitLab() throws IOException {
        var job = example("gitlab-ci.yml").path("gitops-interlock");
        var variables = new HashMap<String, String>();
        where.forEach((name, value) -> variables.put("GITOPS_INTERLOCK_" + name, value));
        variables.put("CI_BUILDS_DIR", home.toString());
        variables.put(
                "CI_MERGE_REQUEST_DIFF_BASE_SHA",
                bash(clone, Map.of(), "git rev-parse main").orFail().out().strip());

        var check = bash(clone, variables, lines(job.path("before_script")) + lines(job.path("script")));

        assertThat(check.exitCode()).as(check.err()).isEqualTo(1);
        assertThat(clone.resolve(job.at("/artifacts/reports/junit").asText()))
                .content()
                .contains("<failure type=\"ArgoCdJobEdit\"", "migrate.yaml");
    }

    private static String lines(JsonNode commands) {
        return commands.valueStream().map(line -> line.asText() + "\n").collect(joining());
    }

    private static JsonNode example(String name) throws IOException {
        return Trees.fromYaml(Files.readString(EXAMPLES.resolve(name), UTF_8));
    }

    private static Command.Result bash(Path directory, Map<String, String> variables, String script) {
        return Command.run(
                variables, List.of("bash", "-e", "-o", "pipefail", "-c", "cd '%s'%n%s".formatted(directory, script)));
    }
}
