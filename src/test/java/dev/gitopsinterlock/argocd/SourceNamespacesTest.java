package dev.gitopsinterlock.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SourceNamespacesTest {

    private final SourceNamespaces sources = new SourceNamespaces(Map.of("pipelines", "argocd"));
    private final SyncScope scope =
            new SyncScope(List.of("argocd"), List.of("*"), Duration.ofHours(1), List.of("pipelines"));

    /** It counts where its Lease is. */
    @Test
    void whatALeaseAnnouncesStaysWhereItIs() {
        var announced = RunningSync.announced("pipelines", "payments", Optional.empty(), Instant.EPOCH);

        assertThat(sources.resolve(announced, scope)).isEqualTo(announced);
    }
}
