package dev.gitopsinterlock.it.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the API server sees of a replica that is told to stop. */
class ConnectionDrainerIT {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().sslContext(Tls.context()).build();

    @Test
    void answersGoOnAndEndTheirConnections() throws Exception {
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .with("gitops-interlock.machine-configs.sync-hold", "Disabled")
                .with("quarkus.shutdown.delay", "10s")
                .start()) {
            assertThat(ask(interlock).headers().firstValue("connection")).isEmpty();

            interlock.process().destroy();
            await("told to stop").atMost(Patience.LIMIT).untilAsserted(() -> {
                var answer = ask(interlock);
                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.headers().firstValue("connection")).hasValue("close");
            });
            assertThat(interlock.get("/q/health/ready").statusCode())
                    .as("a failing probe is a warning to whoever looks, at every rollout")
                    .isEqualTo(200);
        }
    }

    private static HttpResponse<String> ask(Interlock interlock) throws IOException, InterruptedException {
        var review = Trees.bytes(Trees.resource("reviews/others/node.yaml"));
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(interlock.url() + "/validate/nodes"))
                        .timeout(Duration.ofSeconds(30))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(review))
                        .build(),
                BodyHandlers.ofString());
    }
}
