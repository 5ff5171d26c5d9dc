package dev.gitopsinterlock.system.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** Who comes to the status page by the Pod's address is outside; a forwarded port comes from inside. */
class InstallStatusPageToolsIT {

    @Test
    void isShownToTheInsideOfThePodAlone() throws IOException, InterruptedException {
        assumeTrue(Platform.HAS_NAMESPACES, "not run: listening on all addresses takes a network namespace");
        var outside = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
                .findFirst()
                .orElseThrow()
                .getHostAddress();
        try (var interlock = Interlock.serving(MountedSecret.create().directory())
                .without("quarkus.management.host")
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .start()) {
            var port = URI.create("http://" + interlock.management()).getPort();

            assertThat(status("127.0.0.1", port, "/")).isEqualTo(200);
            assertThat(status(outside, port, "/")).isEqualTo(403);
            assertThat(status(outside, port, "/q/metrics")).isEqualTo(200);
        }
    }

    private static int status(String host, int port, String path) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://%s:%d%s".formatted(host, port, path)));
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        }
    }
}
