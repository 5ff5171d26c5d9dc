package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.service.Interlock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Argo CD is taken out of a cluster that it was in. */
class DeletedDefinitionsIT {

    private static final String APPLICATIONS = "applications.argoproj.io";

    @Test
    void areLookedForQuietly() {
        try (var kubernetes = ControlPlane.start()) {
            Registration.in(kubernetes);
            kubernetes.addDefinitionsOf("openshift");
            kubernetes.addDefinitionsOf("argocd");
            try (var interlock = Interlock.serving(kubernetes.webhookCertificates())
                    .watching(kubernetes)
                    .start()) {
                await("listed").atMost(Duration.ofMinutes(1)).until(() -> isKnown(interlock));

                kubernetes
                        .kubectl("delete", "customresourcedefinition", APPLICATIONS)
                        .orFail();
                await("longer than the longest pause between two attempts, without a stack trace")
                        .during(Duration.ofSeconds(20))
                        .atMost(Duration.ofMinutes(1))
                        .until(() -> interlock.log().lines().noneMatch(line -> line.startsWith("\tat ")));
                assertThat(interlock.log()).doesNotContain("without progress");
            }
        }
    }

    private static boolean isKnown(Interlock interlock) {
        return interlock.metrics().contains("gitops_interlock_cache_known{cache=\"applications\"} 1.0");
    }
}
