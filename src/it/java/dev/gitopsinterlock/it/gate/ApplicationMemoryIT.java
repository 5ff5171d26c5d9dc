package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Thousands of Applications, each as big as they get, cost next to nothing. {@code -Dmemory.applications} says how many;
 * the bound is for 5000.
 */
class ApplicationMemoryIT {

    private static final int COUNT = Integer.getInteger("memory.applications", 1000);
    private static final int BYTES = 40_000;
    private static final double MEGABYTES = 15.0;

    @Test
    void applicationsThatDoNotSyncAreNotKept() {
        try (var kubernetes = ControlPlane.start()) {
            Registration.in(kubernetes);
            kubernetes.addDefinitionsOf("openshift");
            var applications = Applications.in(kubernetes, "argocd");
            var without = heap(kubernetes, 0);
            IntStream.range(0, COUNT).parallel().forEach(i -> {
                applications.create("app-" + i);
                applications.patch(
                        "app-" + i, "{\"status\": {\"resources\": [" + Applications.resources(BYTES) + "]}}");
            });
            applications.startSync("app-0");
            var with = heap(kubernetes, 1);

            System.out.printf(
                    Locale.ROOT,
                    "memory: heap after collection %.1f MB without, %.1f MB with %d Applications of %d kB%n",
                    without,
                    with,
                    COUNT,
                    BYTES / 1000);
            assertThat(with - without).isLessThan(MEGABYTES * COUNT / 5000 + 2);
        }
    }

    /** In use by a service that has listed all Applications, after a full collection. */
    private static double heap(ControlPlane kubernetes, int syncs) {
        try (var interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .start()) {
            await("listed")
                    .atMost(Patience.LIMIT)
                    .until(() -> interlock.metrics().contains("gitops_interlock_syncs_running " + syncs + ".0"));
            return interlock.heapAfterCollection();
        }
    }
}
