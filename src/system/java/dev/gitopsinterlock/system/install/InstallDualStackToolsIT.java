package dev.gitopsinterlock.system.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.service.Tls;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Pod of a dual-stack cluster is called at addresses of both families; it listens on all that it has. */
class InstallDualStackToolsIT {

    @Test
    void theServiceAnswersOnBothFamilies() throws IOException, InterruptedException {
        assumeTrue(Platform.HAS_NAMESPACES, "not run: listening on all addresses takes a network namespace");
        assumeTrue(
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .anyMatch(address -> address instanceof Inet6Address && address.isLoopbackAddress()),
                "not run: this machine has no IPv6 loopback");
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                        .without("quarkus.http.host")
                        .without("quarkus.management.host")
                        .with("gitops-interlock.jobs.allow-overrides", "false")
                        .start();
                var client = HttpClient.newBuilder().sslContext(Tls.context()).build()) {
            for (var address : List.of("127.0.0.1", "[::1]")) {
                var request = HttpRequest.newBuilder(
                                URI.create("https://%s:%d/mutate/jobs".formatted(address, interlock.port())))
                        .POST(BodyPublishers.noBody())
                        .header("Content-Type", "application/json");
                assertThat(client.send(request.build(), BodyHandlers.discarding())
                                .statusCode())
                        .as(address)
                        .isEqualTo(400);
            }
        }
    }
}
