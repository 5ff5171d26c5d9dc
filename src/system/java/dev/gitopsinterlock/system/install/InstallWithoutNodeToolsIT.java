package dev.gitopsinterlock.system.install;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MountedSecret;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The chart from its installation to its end, by both Helms, where no Node can be had: Pods are played, and what answers for
 * the Service is the package, as a process of this machine with the rights that the chart gives.
 */
@RequiresTools(
        value = {"certmanager", "helm3", "helm4"},
        definitions = "certmanager")
class InstallWithoutNodeToolsIT {

    private static final String TOKEN = "callerToken=" + Interlock.TOKEN;

    private Platform platform;
    private Release release;
    private Workspace shop;

    @BeforeEach
    void start(@TempDir Path home) {
        platform = Platform.startWithoutNode();
        release = platform.release(home);
        shop = Workspace.in(platform.kubernetes(), "shop");
    }

    @AfterEach
    void end() {
        platform.close();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    void fromItsInstallationToItsEnd(Helm helm) throws SocketException {
        var address = outerAddress();
        assumeTrue(
                address.isPresent(), "not run: this machine has no address but 127.0.0.1, and a Service takes another");
        var clusterBefore = platform.clusterObjects();
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");

        release.helm(helm, "install", "--wait", "--timeout", "5m", "--set", TOKEN)
                .orFail();
        release.awaitTrusted();
        try (var _ = answer(address.get(), "Reject")) {
            awaitEdit("(field is immutable) KubectlApplyJobEdit");
        }

        var values = "jobs.onImmutableChange=Replace,replacement.enabled=true," + TOKEN;
        release.helm(helm, "upgrade", "--wait", "--timeout", "5m", "--set", values)
                .orFail();
        var uid = shop.uid("db-migrate");
        try (var _ = answer(address.get(), "Replace")) {
            awaitEdit("Warning: Job db-migrate was replaced");
        }
        assertThat(shop.uid("db-migrate")).isNotEqualTo(uid);

        release.helm(helm, "rollback", "--wait", "--timeout", "5m").orFail();
        shop.kubectl("delete", "job", "db-migrate").orFail();
        shop.apply(JOB);
        try (var _ = answer(address.get(), "Reject")) {
            awaitEdit("(field is immutable) KubectlApplyJobEdit");
        }

        release.helm(helm, "uninstall", "--wait").orFail();
        assertThat(platform.clusterObjects()).isEqualTo(clusterBefore);
        awaitEdit(": field is immutable");
    }

    /** As a Pod would, with its certificate and its account. */
    private Interlock answer(InetAddress address, String policy) {
        var certificates = MountedSecret.of(release.entries("tls"));
        var service = Interlock.serving(certificates.directory())
                .watching(platform.kubernetes())
                .with("quarkus.http.host", address.getHostAddress())
                .with("quarkus.kubernetes-client.namespace", release.namespace())
                .with("quarkus.kubernetes-client.token", platform.kubernetes().token(release.namespace(), Release.NAME))
                .with("gitops-interlock.jobs.on-immutable-change", policy)
                .with("gitops-interlock.replacement.enabled", Boolean.toString(policy.equals("Replace")))
                .without("gitops-interlock.replacement.stateful-sets")
                .without("gitops-interlock.replacement.allow-job-annotations")
                .start();
        release.kubectl("apply", "-f", shop.file("""
                apiVersion: discovery.k8s.io/v1
                kind: EndpointSlice
                metadata: {name: processes, labels: {kubernetes.io/service-name: %s}}
                addressType: IPv4
                endpoints: [{addresses: ["%s"]}]
                ports: [{name: webhook, port: %d}]
                """.formatted(Release.NAME, address.getHostAddress(), service.port())))
                .orFail();
        return service;
    }

    private void awaitEdit(String words) {
        await(words)
                .atMost(Patience.LIMIT)
                .until(() -> shop.kubectl("apply", "-f", shop.file(edited(JOB))).err(), err -> err.contains(words));
    }

    /** An EndpointSlice takes none of 127.0.0.0/8. */
    private static Optional<InetAddress> outerAddress() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address
                        && !address.isLoopbackAddress()
                        && !address.isLinkLocalAddress())
                .findFirst();
    }
}
