package dev.gitopsinterlock.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.Browser;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The site, by MkDocs: it is not built where a link or an anchor leads nowhere, a page is in no part of it, or its Markdown
 * means something else than on GitHub.
 */
class SiteToolsIT {

    private static final int CANNOT_BE_HAD = 69;
    private static final Path SITE = Project.directory().resolve("target/site");

    /** A desk's window, and a phone's. */
    private static final List<Integer> WIDTHS = List.of(1_280, 390);

    /** What breaks the build, and what that says. */
    private static final Map<String, String> FAULTS = Map.of(
            "[nowhere](docs/nowhere.md)",
            "docs/nowhere.md",
            "You need:\n- a cluster",
            "no empty line before a list, table or fence: - a cluster",
            "Values:\n| a | b |\n|---|---|\n| 1 | 2 |",
            "no empty line before a list, table or fence: | a | b |",
            "1. Run\n\n   ```sh\n   make\n   ```",
            "what is in a list has to be indented by four: ```sh",
            "- one\n  - in it",
            "what is in a list has to be indented by four: - in it",
            "```text\nGit ---> cluster\n```",
            "a drawing in a block of text, whose lines flow: Git ---&gt; cluster");

    /** The theme's own head and its moving menu, without the scripts that move them. */
    private static final String STANDS_STILL = """
            document.head.insertAdjacentHTML('beforeend',
              '<style>* { transition: none !important } .md-header { overflow: hidden }</style>')
            """;

    /** What is wrong with how a page lies in its window. */
    private static final String LIES_WRONG = """
            (() => {
              const wraps = [...document.querySelectorAll('.highlight:not(.language-text) code')]
                .some(code => getComputedStyle(code).whiteSpace !== 'pre');
              const wide = document.documentElement.scrollWidth > innerWidth;
              return (wide ? 'wider than its window ' : '') + (wraps ? 'wraps its code' : '');
            })()
            """;

    @BeforeAll
    static void build() {
        build(Project.directory()).orFail();
    }

    @Test
    void hasEveryPageAndCanBeSearched() throws IOException {
        assertThat(SITE.resolve("index.html")).content().contains("My sync was refused", "docs/images/edit.svg");
        assertThat(SITE.resolve("docs/scenarios/index.html")).exists();
        assertThat(Trees.json(Files.readAllBytes(SITE.resolve("search/search_index.json")))
                        .path("docs")
                        .findValuesAsText("location"))
                .contains("docs/troubleshooting/", "helm/gitops-interlock/");
        assertThat(pages()).allSatisfy(page -> assertThat(page).content().doesNotContain("fonts.googleapis.com"));
    }

    /** What was recorded is no page to choose. */
    @Test
    void everyPageOfACodeHasAMenuOfThem() {
        assertThat(SITE.resolve("docs/guidance/ArgoCdJobEdit/index.html"))
                .content()
                .contains("../ArgoCdOwnedJobEdit/", "../RolloutHeld/", "../../decisions/0002-422-invalid/")
                .doesNotContain("../../scenarios/", "../../differential/");
    }

    /** Without scripts, which cost three quarters of the time, and without which a page has to fit, too. */
    @Test
    @RequiresTools("chromium")
    void everyPageFitsItsWindow() throws IOException {
        var server = SimpleFileServer.createFileServer(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), SITE, OutputLevel.NONE);
        server.start();
        try (var browser = Browser.start()) {
            browser.tools(
                    "Emulation.setScriptExecutionDisabled",
                    Trees.JSON.createObjectNode().put("value", true));
            var wrong = new ArrayList<String>();
            for (var page : pages()) {
                browser.open("http://127.0.0.1:%d/%s"
                        .formatted(server.getAddress().getPort(), SITE.relativize(page.getParent())));
                browser.value(STANDS_STILL);
                for (var width : WIDTHS) {
                    browser.size(width, 900);
                    for (var scheme : List.of("light", "dark")) {
                        browser.prefer(scheme);
                        var why = browser.value(LIES_WRONG).asText();
                        if (!why.isEmpty()) {
                            wrong.add("%s, %d px, %s: %s".formatted(page, width, scheme, why));
                        }
                    }
                }
            }
            assertThat(wrong).isEmpty();

            // else nothing would be found above
            browser.value("document.body.insertAdjacentHTML('beforeend', '<div style=\"width: 2000px\">wide</div>')");
            for (var width : WIDTHS) {
                browser.size(width, 900);
                assertThat(browser.value(LIES_WRONG).asText()).startsWith("wider");
            }
        } finally {
            server.stop(0);
        }
    }

    private static List<Path> pages() throws IOException {
        try (var files = Files.walk(SITE)) {
            return files.filter(file -> file.endsWith("index.html")).toList();
        }
    }

    /** In a copy, so that the versions are not among our own branches. */
    @Test
    void keepsItsVersionsAndBreaksAtEveryFault(@TempDir Path folder) throws IOException {
        var copy = folder.resolve("copy");
        run("git", "clone", "-q", Project.directory().toString(), copy.toString());
        // with what is not committed yet
        var pages =
                "cd \"$0\" && git ls-files -co --exclude-standard -- '*.md' site docs | tar cf - -T - | tar xf - -C \"$1\"";
        run("sh", "-c", pages, Project.directory().toString(), copy.toString());
        var tools = Path.of("target/site-tools"); // not installed again
        Files.createSymbolicLink(
                Files.createDirectories(copy.resolve("target")).resolve(tools.getFileName()),
                Project.directory().resolve(tools));
        for (var setting : List.of("user.name=Somebody", "user.email=somebody@example.com")) {
            run("git", "-C", copy.toString(), "config", setting.split("=", 2)[0], setting.split("=", 2)[1]);
        }
        build(copy, "0.1").orFail();
        build(copy, "0.2").orFail();

        var versions = run("git", "-C", copy.toString(), "show", "gh-pages:versions.json");
        assertThat(versions.out()).contains("\"0.1\"", "\"0.2\"", "\"latest\"");

        var readme = copy.resolve("README.md");
        Files.writeString(readme, Files.readString(readme) + "\n" + String.join("\n\n", FAULTS.keySet()) + "\n");
        var broken = build(copy);
        assertThat(broken.exitCode()).isNotZero();
        assertThat(broken.text()).contains(FAULTS.values());
    }

    private static Command.Result build(Path project, String... version) {
        var command = new ArrayList<>(List.of(project.resolve("site/build").toString()));
        command.addAll(List.of(version));
        var built = Command.run(Map.of(), command);
        assumeTrue(built.exitCode() != CANNOT_BE_HAD, () -> built.err().strip());
        return built;
    }

    private static Command.Result run(String... command) {
        return Command.run(Map.of(), List.of(command)).orFail();
    }
}
