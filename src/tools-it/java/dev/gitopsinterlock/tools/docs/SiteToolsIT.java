package dev.gitopsinterlock.tools.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site, by MkDocs: it is not built where a link or an anchor leads nowhere, or a page is in no part of it. */
class SiteToolsIT {

    private static final int CANNOT_BE_HAD = 69;

    @BeforeAll
    static void build() {
        build(Project.directory()).orFail();
    }

    @Test
    void hasEveryPageAndCanBeSearched() throws IOException {
        var site = Project.directory().resolve("target/site");
        assertThat(site.resolve("index.html")).content().contains("Evidence", "docs/images/edit.svg");
        assertThat(site.resolve("docs/guidance/ArgoCdJobEdit/index.html")).exists();
        assertThat(Trees.json(Files.readAllBytes(site.resolve("search/search_index.json")))
                        .path("docs")
                        .findValuesAsText("location"))
                .contains("docs/troubleshooting/", "helm/gitops-interlock/");
        try (var files = Files.walk(site)) {
            assertThat(files.filter(file -> file.toString().endsWith(".html")))
                    .allSatisfy(page -> assertThat(page).content().doesNotContain("fonts.googleapis.com"));
        }
    }

    /** In a copy, so that the versions are not among our own branches. */
    @Test
    void keepsItsVersionsAndBreaksWhereALinkDoes(@TempDir Path folder) throws IOException {
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
        Files.writeString(readme, Files.readString(readme) + "\n[nowhere](docs/nowhere.md)\n");
        var broken = build(copy);
        assertThat(broken.exitCode()).isNotZero();
        assertThat(broken.text()).contains("docs/nowhere.md");
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
