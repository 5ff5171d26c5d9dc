package dev.gitopsinterlock.it.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log as JSON, from the first line to the last; settings as arguments. */
class LogFormatIT {

    @Test
    void everyLineIsAnObjectFromTheStartToTheEnd() {
        var interlock = json(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .start();
        interlock.post("/mutate/jobs", "application/json", "{\"request\":{\"uid\":\"1\"}}");
        var job = Jobs.finished();
        interlock.post(
                "/mutate/jobs",
                "application/json",
                Reviews.update(job, Jobs.with(job, "/spec/template/spec/containers/0/image", "another:1"))
                        .toString());
        interlock.close();

        assertThat(lines(interlock)).isNotEmpty().allSatisfy(line -> {
            assertThat(OffsetDateTime.parse(line.path("timestamp").asText())).isNotNull();
            assertThat(line.path("level").asText()).isIn("INFO", "WARN");
            assertThat(line.path("logger").asText()).contains(".");
            assertThat(line.path("thread").asText()).isNotEmpty();
            assertThat(line.path("message").asText()).isNotEmpty();
        });
        assertThat(lines(interlock))
                .extracting(line -> line.path("message").asText())
                .anyMatch(message -> message.contains("started in"))
                .anyMatch(message -> message.contains("stopped in"));
        assertThat(lines(interlock))
                .filteredOn(line -> line.path("message").asText().startsWith("denied: "))
                .singleElement()
                .satisfies(line -> {
                    var facts = line.path("facts");
                    assertThat(facts.path("code").asText()).isEqualTo("KubectlApplyJobEdit");
                    assertThat(facts.path("object").asText()).isEqualTo("shop/db-migrate");
                    assertThat(facts.path("requester").asText()).isEqualTo("User");
                    assertThat(facts.path("ms").asText()).matches("[0-9]+");
                });
    }

    @Test
    void soAreTheProblemsOfAStartThatIsRefused() {
        var interlock = json(Path.of("/nowhere"))
                .with("gitops-interlock.jobs.on-immutable-change", "Rejcet")
                .withArgument("serve")
                .withArgument("--gitops-interlock.jobs.allow-overrides=perhaps")
                .launch();

        assertThat(interlock.awaitExit()).isEqualTo(1);
        assertThat(lines(interlock))
                .extracting(line -> line.path("message").asText())
                .contains(
                        "error: gitops-interlock.jobs.allow-overrides: must be true or false",
                        "error: gitops-interlock.certificate.directory: /nowhere/tls.crt does not exist",
                        "error: argument 1: must be a setting, --NAME=VALUE, with a NAME that begins with gitops-interlock."
                                + " or quarkus.");
    }

    @Test
    void anArgumentCountsMoreThanAVariable() {
        try (var interlock = json(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "true")
                .withArgument("--gitops-interlock.jobs.allow-overrides=false")
                .withArgument("--quarkus.log.console.json.enabled=false")
                .start()) {
            // it would watch Namespaces, which are nowhere, and not be ready
            assertThat(interlock.log()).contains(" INFO  [").doesNotContain("{\"timestamp\"");
        }
    }

    private static Interlock.Builder json(Path certificates) {
        return Interlock.serving(certificates).with("quarkus.log.console.json.enabled", "true");
    }

    private static List<JsonNode> lines(Interlock interlock) {
        return interlock
                .log()
                .lines()
                .map(line -> Trees.json(line.getBytes(UTF_8)))
                .toList();
    }
}
