package dev.gitopsinterlock.cluster.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.cluster.api.FakeClock;
import dev.gitopsinterlock.testing.review.SampleSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which annotations of Namespaces are known, and when. */
class NamespaceAnnotationsTest {

    private static final String SHOP = """
            apiVersion: v1
            kind: Namespace
            metadata:
              name: shop
              annotations: {gitops-interlock.dev/on-immutable-change: Replace, team: payments}
            """;

    private static final String BLOG = """
            apiVersion: v1
            kind: Namespace
            metadata: {name: blog}
            """;

    private final KubernetesClient client = Watched.nowhere();
    private final NamespaceAnnotations namespaces =
            new NamespaceAnnotations(SampleSettings.usual(), client, new FakeClock());

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void onlyOursAreKept() {
        Watched.list(namespaces.cache(), SHOP, BLOG);

        assertThat(namespaces.of("shop")).isEqualTo(Map.of("gitops-interlock.dev/on-immutable-change", "Replace"));
        assertThat(namespaces.of("blog")).isEmpty();
        assertThat(namespaces.of("another")).isEmpty();
        assertThat(namespaces.isKnown()).isTrue();
        assertThat(namespaces.hasSynced()).isTrue();
    }

    @Test
    void whereNamespacesCannotBeReadNothingIsKnownOfThem() {
        Watched.list(namespaces.cache(), SHOP);
        namespaces.cache().failed(new KubernetesClientException("forbidden", 403, null));

        assertThat(namespaces.isKnown()).isFalse();
    }

    @Test
    void whereNoAnnotationCountsNothingHasToBeKnown() {
        var alone = new NamespaceAnnotations(SampleSettings.withoutOverrides(), client, new FakeClock());

        assertThat(alone.isKnown()).isTrue();
        assertThat(alone.hasSynced()).isTrue();
    }
}
