package dev.gitopsinterlock.tools.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.build.cli.CliBuild;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Git;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line as people get it: an archive, unpacked somewhere else. */
@ExtendWith(Cluster.Extension.class)
class CliToolsIT {

    private static final Path CASE = Project.directory().resolve("src/test/resources/check/argocd");

    private static final String APPLICATION =
            "{apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: shop, helm: {valueFiles: [prod.yaml]}}}}";

    @TempDir
    private static Path downloads;

    @TempDir
    private static Path elsewhere;

    private static Path bin;

    private final ControlPlane controlPlane;

    CliToolsIT(Cluster cluster) {
        this.controlPlane = cluster.controlPlane();
    }

    @BeforeAll
    static void unpack() throws IOException {
        bin = built("native").resolve("bin");
    }

    /** Unpacked as it was built for a platform. */
    private static Path built(String platform) throws IOException {
        var archive = CliBuild.build(downloads, "0.0.0", platform);
        run("tar", "-C", elsewhere.toString(), "-xzf", archive.toString()).orFail();
        return elsewhere.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
    }

    /** By its own libraries, too, of which one warns about itself unless it is told not to. */
    @ParameterizedTest
    @ValueSource(strings = {"argocd", "custom-resource-rules"})
    void saysTheSameAsInTheTests(String name) throws IOException {
        var folder = CASE.resolveSibling(name);
        var run = check(folder);

        assertThat(run.err()).isEmpty();
        assertThat(run.out() + "exit code " + run.exitCode() + "\n")
                .isEqualTo(Files.readString(folder.resolve("expected.txt"))
                        .replace("target.yaml", folder + "/target.yaml"));
    }

    /** The AOT cache is what makes it start quickly; the JVM says nothing where it does not fit. */
    @Test
    void itsCacheFitsWhereverItIs() throws IOException {
        var java = bin.resolveSibling("runtime/bin/java").toString();
        var lib = bin.resolveSibling("lib");
        var run = run(
                java,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:AOTMode=on",
                "-XX:AOTCache=" + lib.resolve("gitops-interlock.aot"),
                "-cp",
                lib + "/*",
                "dev.gitopsinterlock.cli.Interlock",
                "--version");

        assertThat(run.text()).isEqualTo("gitops-interlock " + version() + "\n");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void kubectlFindsIt() {
        var path = bin + ":" + System.getenv("PATH");
        var run = Command.run(
                Map.of("PATH", path),
                List.of(controlPlane.kubectlProgram().toString(), "interlock", "check", "--help"));

        assertThat(run.out()).startsWith("Usage: kubectl interlock check");
        assertThat(run.exitCode()).isZero();
    }

    /** Where man looks for them by itself, as the folder is beside {@code bin}. */
    @ParameterizedTest
    @CsvSource({
        "gitops-interlock,COMMANDS",
        "gitops-interlock-check,--baseline",
        "gitops-interlock-scan,--context",
        "gitops-interlock-explain,CODE",
        "gitops-interlock-generate-completion,completion"
    })
    void hasManualPages(String page, String words) {
        var file = bin.resolveSibling("share/man/man1/" + page + ".1");
        assertThat(file).exists();
        assumeTrue(isThere("groff"), "the manual pages are not read: there is no groff here");
        var read = run("groff", "-man", "-Tutf8", "-P-cbou", "-ww", "-rLL=300n", file.toString());

        assertThat(read.err()).isEmpty();
        assertThat(read.out().replaceAll("\u001b\\[[0-9;]*m", "")).contains("NAME", page + " - ", "SYNOPSIS", words);
    }

    @Test
    void completesInBash() {
        var script = bin.resolveSibling("share/bash-completion/completions/gitops-interlock");
        var run = run("bash", "-c", """
                source "$0"
                COMP_WORDS=(gitops-interlock che) COMP_CWORD=1
                _complete_gitops-interlock
                echo "${COMPREPLY[@]}"
                """, script.toString());

        assertThat(run.text()).isEqualTo("check\n");
    }

    private static boolean isThere(String program) {
        return run("sh", "-c", "command -v " + program).exitCode() == 0;
    }

    /** Within the memory that its script allows. */
    @Test
    void takesLargeTrees(@TempDir Path trees) throws IOException {
        for (var side : List.of("base", "target")) {
            Files.createDirectory(trees.resolve(side));
            var text = new StringBuilder();
            var job = Files.readString(CASE.resolve(side + ".yaml"));
            for (int i = 0; i < 2000; i++) {
                text.append("---\n").append(job.replace("name: db-migrate", "name: db-migrate-" + i));
            }
            Files.writeString(trees.resolve(side).resolve("all.yaml"), text);
        }
        var run = run(
                bin.resolve("gitops-interlock").toString(),
                "check",
                trees.resolve("base").toString(),
                trees.resolve("target").toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).endsWith("2000 Jobs checked, 2000 findings\n");
    }

    /** What is made of a kustomization is judged where it is applied, and a chart by what it renders to. */
    @Test
    @RequiresTools("helm4")
    void rendersKustomizationsAndCharts(@TempDir Path repository) throws IOException {
        Git.run(repository, "init", "-q");
        var job = Files.readString(CASE.resolve("target.yaml"));
        write(repository, "base/kustomization.yaml", "resources: [job.yaml]");
        write(repository, "base/job.yaml", job);
        write(repository, "prod/kustomization.yaml", kustomization("1.2"));
        write(repository, "other/kustomization.yaml", "resources: [nowhere.yaml]");
        write(repository, "shop/Chart.yaml", "{apiVersion: v2, name: shop, version: 0.1.0}");
        write(repository, "shop/values.yaml", "tag: '1.2'");
        write(repository, "shop/templates/job.yaml", job.replace("app:1.2", "app:{{ .Values.tag }}"));
        write(repository, "apps/shop.yaml", APPLICATION);
        commit(repository);
        write(repository, "prod/kustomization.yaml", kustomization("1.3"));
        write(repository, "shop/values.yaml", "tag: '1.3'");

        var found =
                "2 Jobs checked, 2 findings; not judged until rendered: shop (helm template) with the values in apps/shop.yaml\n";
        assertThat(render(repository, "--git", "HEAD").out())
                .contains("shop (helm template):")
                .contains("  in the chart: shop/templates/job.yaml\n")
                .contains("prod (kustomize build):")
                .contains(
                        "on this change of Job prod/db-migrate, field is immutable: spec.template.spec.containers[0].image")
                .endsWith(found);
        assertThat(render(repository, "--git", "HEAD", "--fix").out())
                .startsWith(
                        "--fix leaves ArgoCdJobEdit to you: write argocd.argoproj.io/sync-options: Force=true into what Job "
                                + "prod/db-migrate is rendered from\n");

        commit(repository);
        var strict = render(repository, "--git", "HEAD~1..HEAD", "--strict");
        assertThat(strict.out()).endsWith(found);
        assertThat(strict.err()).contains("with the values in apps/shop.yaml was not judged: render both sides");

        write(repository, "other/kustomization.yaml", "resources: [nowhere-else.yaml]");
        var broken = render(repository, "--git", "HEAD~1");
        assertThat(broken.err())
                .contains("other (kustomize build): ")
                .contains("nowhere.yaml")
                .contains("nowhere-else.yaml");
        assertThat(broken.out()).endsWith(found.strip() + "; could not be judged: 2\n");
        assertThat(broken.exitCode()).isEqualTo(3);
    }

    /** Whoever opens a pull request names its folders, and what links in there lead to. */
    @Test
    @RequiresTools("helm4")
    void runsAndShowsNothingThatATreeNames(@TempDir Path repository) throws IOException {
        Git.run(repository, "init", "-q", "-b", "main");
        var job = Files.readString(CASE.resolve("target.yaml"));
        write(repository, "MyShop/Chart.yaml", "{apiVersion: v2, name: shop, version: 0.1.0}");
        write(repository, "MyShop/templates/job.yaml", job.replace("1.2", "1.1"));
        commit(repository);
        write(repository, "MyShop/templates/job.yaml", job);
        write(repository, "--post-renderer=touch/Chart.yaml", "{apiVersion: v2, name: evil, version: 0.1.0}");
        write(repository, "linked/Chart.yaml", "{apiVersion: v2, name: linked, version: 0.1.0}");
        write(repository, "linked/templates/a.yaml", "{{ fail (.Files.Get \"link\") }}");
        var secret = Files.writeString(elsewhere.resolve("secret"), "TOPSECRET");
        Files.createSymbolicLink(repository.resolve("linked/link"), secret);

        Git.run(repository, "add", ".");
        var inWorkTree = render(repository, "--git", "HEAD");
        assertThat(inWorkTree.err()).contains("linked (helm template) has links, which may lead anywhere");
        commit(repository);
        var inGit = render(repository, "--git", "HEAD~1..HEAD");
        for (var run : List.of(inWorkTree, inGit)) {
            assertThat(run.out())
                    .contains("MyShop (helm template):")
                    .endsWith("1 Job checked, 1 finding; could not be judged: 1\n");
            assertThat(run.text()).doesNotContain("TOPSECRET");
            assertThat(run.exitCode()).isEqualTo(3);
        }
    }

    /** Of those that its user has, a tree could choose any. */
    @Test
    @RequiresTools("helm4")
    void runsNoFilterAndNoHookOfGit(@TempDir Path repository) throws IOException {
        Git.run(repository, "init", "-q");
        write(repository, "shop/Chart.yaml", "{apiVersion: v2, name: shop, version: 0.1.0}");
        write(repository, "shop/templates/job.yaml", Files.readString(CASE.resolve("base.yaml")));
        commit(repository);
        write(repository, ".gitattributes", "*.yaml filter=mark");
        write(repository, "hooks/post-checkout", "#!/bin/sh\ntouch %s/ran".formatted(repository));
        assertThat(repository.resolve("hooks/post-checkout").toFile().setExecutable(true))
                .isTrue();
        write(repository, "shop/templates/job.yaml", Files.readString(CASE.resolve("target.yaml")));
        commit(repository);
        write(
                repository,
                ".gitconfig",
                "[core]\nhooksPath = hooks\n[filter \"mark\"]\nsmudge = touch '%s/ran'; cat".formatted(repository));
        var run = inRepository(
                repository, "GIT_CONFIG_GLOBAL=$PWD/.gitconfig gitops-interlock check --render --git HEAD~1..HEAD");

        assertThat(run.out()).endsWith("1 Job checked, 1 finding\n");
        assertThat(repository.resolve("ran")).doesNotExist();
    }

    /** As from a hook of Git, which has variables that lead to the repository. */
    @Test
    @RequiresTools("helm4")
    void rendersInAHookAndLeavesTheRepositoryAsItIs(@TempDir Path repository) throws IOException {
        Git.run(repository, "init", "-q", "-b", "main");
        var job = Files.readString(CASE.resolve("target.yaml"));
        write(repository, "prod/kustomization.yaml", "resources: [job.yaml]");
        write(repository, "prod/job.yaml", job.replace("1.2", "1.1"));
        commit(repository);
        Files.move(repository.resolve("prod"), repository.resolve("production"));
        write(repository, "production/job.yaml", job);
        write(
                repository,
                ".git/hooks/pre-commit",
                "#!/bin/sh\ngitops-interlock check --git HEAD --render > found.txt 2>&1 || true");
        assertThat(repository.resolve(".git/hooks/pre-commit").toFile().setExecutable(true))
                .isTrue();
        var committed = inRepository(
                repository,
                "git add . && git -c user.name=Test -c user.email=test@example.com commit -q -m B && git status -sb");

        assertThat(committed.out()).startsWith("## main\n?? found.txt\n");
        assertThat(repository.resolve("found.txt"))
                .content()
                .contains("production (kustomize build):")
                .endsWith("1 Job checked, 1 finding\n");
    }

    private static String kustomization(String tag) {
        return "{resources: [../base], namespace: prod, images: [{name: registry.example/app, newTag: '%s'}]}"
                .formatted(tag);
    }

    private Command.Result render(Path repository, String... arguments) {
        return inRepository(repository, "gitops-interlock check --render " + String.join(" ", arguments));
    }

    private Command.Result inRepository(Path repository, String commands) {
        var programs = "%s:%s:%s:%s"
                .formatted(
                        bin,
                        controlPlane.kubectlProgram().resolveSibling(""),
                        Path.of(Tool.program("helm4")).resolveSibling(""),
                        System.getenv("PATH"));
        return Command.run(
                Map.of("PATH", programs), List.of("bash", "-c", "cd '%s'%n%s".formatted(repository, commands)));
    }

    private static void commit(Path repository) {
        Git.run(repository, "add", ".");
        Git.run(repository, "commit", "-q", "-m", "A");
    }

    private static void write(Path repository, String file, String text) throws IOException {
        Files.createDirectories(repository.resolve(file).getParent());
        Files.writeString(repository.resolve(file), text + "\n");
    }

    /** For machines that we build no Java for. */
    @Test
    void takesTheJavaOfItsUser() throws IOException {
        var program = built("java").resolve("bin/gitops-interlock").toString();
        var java = Map.of("JAVA_HOME", System.getProperty("java.home"));
        var version = Command.run(java, List.of(program, "--version"));
        var without = Command.run(Map.of("JAVA_HOME", "/nowhere"), List.of(program, "--version"));

        assertThat(version.text()).isEqualTo("gitops-interlock " + version() + "\n");
        assertThat(without.text()).isEqualTo("gitops-interlock needs Java 25: put java on PATH, or set JAVA_HOME\n");
        assertThat(without.exitCode()).isEqualTo(3);
    }

    /** Krew unpacks no links. */
    @Test
    @RequiresTools("krew")
    void krewInstallsIt(@TempDir Path home) throws IOException {
        var archive = CliBuild.archive(downloads, "0.0.0", CliBuild.platform());
        var manifest = home.resolve("interlock.yaml");
        var made = Command.run(
                Map.of(
                        "VERSION",
                        "0.0.0",
                        "DOWNLOADS",
                        "https://downloads.example.com/v0.0.0",
                        "HOMEPAGE",
                        "https://example.com"),
                List.of(Project.directory().resolve("src/release/krew").toString(), archive.toString()));
        Files.writeString(manifest, made.orFail().out());
        var krew = Map.of("KREW_ROOT", home.resolve("krew").toString());
        Command.run(krew, List.of(Tool.program("krew"), "install", "--manifest=" + manifest, "--archive=" + archive))
                .orFail();
        var path = home.resolve("krew/bin") + ":" + System.getenv("PATH");
        var run = Command.run(
                Map.of("PATH", path),
                List.of(
                        controlPlane.kubectlProgram().toString(),
                        "interlock",
                        "check",
                        CASE.resolve("base.yaml").toString(),
                        CASE.resolve("target.yaml").toString()));

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).endsWith("1 Job checked, 1 finding\n");
    }

    private static Command.Result check(Path folder) {
        return run(
                bin.resolve("gitops-interlock").toString(),
                "check",
                folder.resolve("base.yaml").toString(),
                folder.resolve("target.yaml").toString());
    }

    private static String version() throws IOException {
        return Files.readString(Project.directory().resolve("target/classes/gitops-interlock.properties"))
                .strip()
                .replace("version=", "");
    }

    private static Command.Result run(String... command) {
        return Command.run(Map.of(), List.of(command));
    }
}
