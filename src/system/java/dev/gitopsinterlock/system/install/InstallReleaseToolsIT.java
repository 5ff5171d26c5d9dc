package dev.gitopsinterlock.system.install;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.cli.CliBuild;
import dev.gitopsinterlock.build.image.ImageArchive;
import dev.gitopsinterlock.build.image.ImageBuild;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.run.Ports;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A version as it is published: pushed to a real registry, signed, verified as docs/releasing.md says, and installed from
 * there.
 */
@OnNode
@RequiresTools({"registry", "crane", "cosign"})
class InstallReleaseToolsIT {

    private static final String PAGES = "https://docs.example.com/guidance/";
    private static final Path PUBLISHED = Project.directory().resolve("target/release");
    private static final Map<String, String> NO_PASSWORD = Map.of("COSIGN_PASSWORD", "");

    private final Platform platform;
    private final Path home;
    private final Release release;
    private final int port = Ports.free();
    private final String team = "127.0.0.1:%d/team".formatted(port);
    private Programs registry;

    InstallReleaseToolsIT(Platform platform, @TempDir Path home) throws IOException {
        this.platform = platform;
        this.home = home;
        release = platform.release(home);
        registry = registry();
    }

    @BeforeAll
    static void buildCommandLine() throws IOException {
        CliBuild.main(new String[] {"0.1.0", "native"});
    }

    @BeforeEach
    void makeKey() {
        run("sh", "-c", "cd '%s' && '%s' generate-key-pair".formatted(home, Tool.program("cosign")))
                .orFail();
    }

    @AfterEach
    void end() {
        release.close();
        registry.close();
    }

    /** What a cluster gets by the chart's address alone: the image by its own, the pages' address in every denial. */
    @Test
    void whatIsPublishedIsSignedAndCanBeInstalledFromThere() throws IOException {
        publish(team).orFail();

        for (var digest : digests()) {
            verify(digest).orFail();
            assertThat(statement(digest, "slsaprovenance1")
                            .at("/predicate/buildDefinition/resolvedDependencies/0/digest/gitCommit")
                            .asText())
                    .isEqualTo(commit());
        }
        var image = team + "/gitops-interlock@" + crane("digest", "--platform=linux/amd64", reference());
        assertThat(statement(image, "cyclonedx").at("/predicate/components").findValuesAsText("name"))
                .contains("quarkus-core");
        assertThat(Trees.json(crane("config", image).getBytes(UTF_8)))
                .isEqualTo(Trees.json(ImageArchive.config(ImageBuild.ARCHIVE)));
        checksum().orFail();
        startsTheCommandLine();

        serveOnTheNode();
        var shop = Workspace.in(platform.kubernetes(), "shop");
        release.installPublished(
                        "oci://" + digests().getLast(),
                        "--plain-http",
                        "--set=image.digest=" + digest(digests().getFirst()),
                        "--wait",
                        "--timeout=5m",
                        "--set=certificates.mode=selfManaged")
                .orFail();

        assertThat(release.kubectl("get", "deployment", "-o=jsonpath={..containers[*].image}")
                        .out())
                .isEqualTo(digests().getFirst());
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        await("denied with a link")
                .atMost(Patience.LIMIT)
                .until(
                        () -> shop.kubectl("apply", "-f", shop.file(edited(JOB)))
                                .err(),
                        words -> words.contains(PAGES + "KubectlApplyJobEdit"));
    }

    private void startsTheCommandLine() throws IOException {
        var archive = CliBuild.archive(CliBuild.FOLDER, "0.1.0", CliBuild.platform())
                .getFileName()
                .toString();
        assertThat(PUBLISHED.resolve("checksums.txt"))
                .content()
                .contains(archive, "gitops-interlock-immutability-0.1.0.json");
        run("tar", "-C", home.toString(), "-xzf", PUBLISHED.resolve(archive).toString())
                .orFail();
        var program = home.resolve(archive.replace(".tar.gz", "/bin/gitops-interlock"));
        assertThat(run(program.toString(), "explain").orFail().out()).contains("ArgoCdJobEdit");
        var bill = PUBLISHED.resolve(archive.replace(".tar.gz", ".cdx.json"));
        assertThat(Trees.json(Files.readAllBytes(bill)).path("components").findValuesAsText("name"))
                .contains("picocli", "java-runtime")
                .doesNotContain("quarkus-core");
        assertThat(PUBLISHED.resolve("interlock.yaml"))
                .content()
                .contains("uri: https://downloads.example.com/0.1.0/" + archive);
    }

    /** By somebody who can write to the registry: another image under the same name, other bytes under the same digest. */
    @Test
    void whatSomebodyElsePutThereIsRefused() throws IOException {
        publish(team).orFail();
        var signed = digests().getFirst();
        var digest = digest(signed);
        var single = team + "/gitops-interlock:0.1.0-amd64";
        var signedSingle = team + "/gitops-interlock@" + crane("digest", single);
        verify(signedSingle).orFail();
        run(Tool.program("crane"), "mutate", single, "--label=by=somebody", "--tag=" + single)
                .orFail();
        var changed = team + "/gitops-interlock@" + crane("digest", single);

        assertThat(changed).isNotEqualTo(signedSingle);
        assertThat(verify(changed).exitCode()).isNotZero();
        assertThat(verify(changed).text()).contains("no signatures found");

        var stored = registry.home()
                .resolve("data/docker/registry/v2/blobs/sha256")
                .resolve(digest.substring(7, 9))
                .resolve(digest.substring(7))
                .resolve("data");
        Files.writeString(stored, Files.readString(stored).replaceFirst("linux", "plan9"));
        // a signature is that of a digest; that the bytes have it is seen by whoever fetches them
        assertThat(run(Tool.program("crane"), "pull", signed, home + "/image.tar")
                        .text())
                .contains("does not match");

        var archive = PUBLISHED.resolve("gitops-interlock-0.1.0.tgz");
        Files.writeString(archive, "not the chart");
        assertThat(checksum().exitCode()).isNotZero();
    }

    @Test
    void aVersionHasTheSameDigestsWheneverItIsPublishedAndIsPublishedOnce() throws IOException {
        publish(team).orFail();
        var first = digests();

        var again = publish(team);

        assertThat(again.exitCode()).isNotZero();
        assertThat(again.err()).contains(reference() + " is there already; a version is never published twice");
        registry.close();
        registry = registry();
        publish(team).orFail();
        assertThat(digests()).isEqualTo(first);
    }

    @Test
    void itSaysWhatIsMissing() {
        assertThat(publish("not a registry").err()).contains("say to which registry");
        assertThat(run(script()).err()).contains("say which version");
        assertThat(run("env", "VERSION=0.1.0", "REGISTRY=" + team, script()).err())
                .contains("nothing to sign with");
    }

    private Programs registry() throws IOException {
        var programs = new Programs("registry", List.of());
        var config = programs.home().resolve("config.yml");
        Files.writeString(config, """
                version: 0.1
                log: {level: warn}
                storage: {filesystem: {rootdirectory: %s/data}}
                http: {addr: 127.0.0.1:%d}
                """.formatted(programs.home(), port));
        programs.startHealthy(
                "registry",
                "http://127.0.0.1:%d/v2/".formatted(port),
                Path.of(Tool.program("registry")),
                "serve",
                config.toString());
        return programs;
    }

    /** The same registry where containerd looks for it: the Node has a 127.0.0.1 of its own. */
    private void serveOnTheNode() throws IOException {
        var command = platform.kubernetes()
                .onNode(
                        Tool.program("registry"),
                        "serve",
                        registry.home().resolve("config.yml").toString());
        registry.start(
                "registry-on-node",
                Redirect.DISCARD,
                Path.of(command.getFirst()),
                command.stream().skip(1).toArray(String[]::new));
    }

    private String script() {
        return Project.directory().resolve("src/release/publish").toString();
    }

    private Command.Result publish(String where) {
        return run(
                "env",
                "VERSION=0.1.0",
                "REGISTRY=" + where,
                "GUIDANCE=" + PAGES,
                "DOWNLOADS=https://downloads.example.com/0.1.0",
                "HOMEPAGE=https://docs.example.com/",
                "IMAGES=target/image",
                "COSIGN_KEY=" + home.resolve("cosign.key"),
                script());
    }

    private String reference() {
        return team + "/gitops-interlock:0.1.0";
    }

    /** Image and chart. */
    private static List<String> digests() throws IOException {
        return Files.readAllLines(PUBLISHED.resolve("digests.txt"));
    }

    private static String digest(String reference) {
        return reference.substring(reference.indexOf('@') + 1);
    }

    private Command.Result verify(String reference) {
        return cosign("verify", "--allow-http-registry", reference);
    }

    private Command.Result checksum() {
        var sums = PUBLISHED.resolve("checksums.txt");
        var signature = cosign("verify-blob", "--bundle", sums + ".sigstore.json", sums.toString());
        return signature.exitCode() != 0
                ? signature
                : run("sh", "-c", "cd '%s' && sha256sum --check --strict checksums.txt".formatted(PUBLISHED));
    }

    private JsonNode statement(String reference, String type) {
        var envelope = cosign("verify-attestation", "--allow-http-registry", "--type", type, reference)
                .orFail()
                .out()
                .lines()
                .findFirst()
                .orElseThrow();
        var payload = Trees.json(envelope.getBytes(UTF_8)).path("payload").asText();
        return Trees.json(Base64.getDecoder().decode(payload));
    }

    private Command.Result cosign(String verb, String... arguments) {
        var command = new ArrayList<>(List.of(
                Tool.program("cosign"),
                verb,
                "--key",
                home.resolve("cosign.pub").toString(),
                "--insecure-ignore-tlog"));
        command.addAll(List.of(arguments));
        return Command.run(NO_PASSWORD, command);
    }

    private static String crane(String... arguments) {
        var command = new ArrayList<>(List.of(Tool.program("crane")));
        command.addAll(List.of(arguments));
        return Command.run(Map.of(), command).orFail().out().strip();
    }

    private static String commit() {
        return run("git", "-C", Project.directory().toString(), "rev-parse", "HEAD")
                .orFail()
                .out()
                .strip();
    }

    private static Command.Result run(String... command) {
        return Command.run(NO_PASSWORD, List.of(command));
    }
}
