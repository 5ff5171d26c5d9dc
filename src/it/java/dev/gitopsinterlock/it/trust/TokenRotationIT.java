package dev.gitopsinterlock.it.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.RoundRobin;
import dev.gitopsinterlock.testing.text.Manifests;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The three commands of the chart's README: no edit is refused for want of a proof while tokens are rotated. */
class TokenRotationIT {

    private static final String OLD = Interlock.TOKEN;
    private static final String NEXT = "thenext0n3wh1l3r0tat3d";

    private final List<Interlock> replicas = new ArrayList<>();
    private int edits;

    @Test
    void tokensAreRotatedWithoutAGap() {
        try (var kubernetes = ControlPlane.start()) {
            var registration = Registration.in(kubernetes);
            replicas.add(knowing(kubernetes, OLD, ""));
            replicas.add(knowing(kubernetes, OLD, ""));
            try (var balancer = RoundRobin.over(replicas.toArray(Interlock[]::new))) {
                registration.of(balancer.url(), 10, replicas.toArray(Interlock[]::new));
                var shop = optedIn(kubernetes);
                assertEditsTakeEffect(shop);

                replaceEach(kubernetes, balancer, shop, OLD, NEXT);
                registration.withToken(NEXT).of(balancer.url(), 10, replicas.toArray(Interlock[]::new));
                assertEditsTakeEffect(shop);
                replaceEach(kubernetes, balancer, shop, NEXT, "");

                // and the old one is worth nothing any more
                registration.of(balancer.url(), 10, replicas.toArray(Interlock[]::new));
                await("old token in the configuration")
                        .untilAsserted(() -> assertThat(edit(shop))
                                .contains("NotReplacedNow", "did not prove that it is the API server"));
            } finally {
                replicas.forEach(Interlock::close);
            }
        }
    }

    private static Interlock knowing(ControlPlane kubernetes, String token, String additional) {
        var service = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.caller-token", token);
        return (additional.isEmpty() ? service : service.with("gitops-interlock.additional-caller-token", additional))
                .start();
    }

    /** As a Deployment does it: a new one is ready before an old one is told to stop. */
    private void replaceEach(
            ControlPlane kubernetes, RoundRobin balancer, Workspace shop, String token, String additional) {
        for (int i = 0; i < 2; i++) {
            var next = knowing(kubernetes, token, additional);
            balancer.add(next);
            var old = replicas.set(i, next);
            balancer.remove(old);
            old.close();
            assertEditsTakeEffect(shop);
        }
    }

    private static Workspace optedIn(ControlPlane kubernetes) {
        var shop = Workspace.in(kubernetes, "rotation");
        shop.onImmutableChange("Replace");
        shop.kubectl("annotate", "namespace", shop.namespace(), "gitops-interlock.dev/when-active=Replace")
                .orFail();
        shop.apply(Manifests.JOB);
        await("Namespace's policy known")
                .until(() -> shop.kubectl("apply", "--dry-run=server", "-f", shop.file(Manifests.edited(Manifests.JOB)))
                        .err()
                        .contains("would "));
        return shop;
    }

    private void assertEditsTakeEffect(Workspace shop) {
        for (int i = 0; i < 3; i++) {
            assertThat(edit(shop)).contains("was replaced and runs again");
        }
    }

    private String edit(Workspace shop) {
        var edited = Manifests.JOB.replace("migrate:1.0", "migrate:2." + ++edits);
        return shop.kubectl("apply", "-f", shop.file(edited)).text();
    }
}
