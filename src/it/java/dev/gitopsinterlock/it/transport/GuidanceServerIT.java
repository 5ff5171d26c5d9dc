package dev.gitopsinterlock.it.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages that the packaged service has with it. */
class GuidanceServerIT {

    private static Interlock interlock;

    @BeforeAll
    static void start() {
        interlock = Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .start();
    }

    @AfterAll
    static void stop() {
        interlock.close();
    }

    @Test
    void theFolderListsEveryPage() throws IOException {
        var index = interlock.get("/guidance/");

        assertThat(index.statusCode()).isEqualTo(200);
        try (var pages = Files.list(Project.directory().resolve("docs/guidance"))) {
            assertThat(pages.map(page -> page.getFileName().toString().replace(".md", ""))
                            .filter(name -> !name.equals("README")))
                    .isNotEmpty()
                    .allSatisfy(name -> {
                        assertThat(index.body()).contains("href=\"" + name + "\"");
                        assertThat(interlock.get("/guidance/" + name).body())
                                .contains("<title>" + name + "</title>", "<h1");
                    });
        }
    }

    @Test
    void whatAPageLeadsToIsThere() {
        assertThat(interlock.get("/guidance/UnknownPolicyValue").body()).contains("href=\"configuration#annotations\"");
        assertThat(interlock.get("/guidance/configuration").body()).contains("<table>");
    }

    /** Where {@code runbook_url} of an alert leads, if nobody says otherwise. */
    @Test
    void thePageOfEveryAlertIsThere() throws IOException {
        assertThat(interlock.get("/guidance/").body()).contains("href=\"runbooks\"");
        var index = interlock.get("/guidance/runbooks").body();
        try (var pages = Files.list(Project.directory().resolve("docs/runbooks"))) {
            assertThat(pages.map(page -> page.getFileName().toString().replace(".md", ""))
                            .filter(name -> !name.equals("README")))
                    .isNotEmpty()
                    .allSatisfy(name -> {
                        assertThat(index).contains("href=\"" + name + "\"");
                        assertThat(interlock.get("/guidance/" + name).body())
                                .contains("<title>" + name + "</title>", "How to fix it");
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Unheard",
                "HelmJobEdit.md",
                "..%2fapplication.properties",
                "../application.properties",
                "%2e%2e/application",
                "index.html",
                "HelmJobEdit/x",
                "x%00"
            })
    void nothingElseIs(String name) {
        assertThat(interlock.get("/guidance/" + name).statusCode()).isBetween(400, 404);
    }
}
