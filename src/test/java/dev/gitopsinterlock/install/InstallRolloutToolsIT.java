package dev.gitopsinterlock.install;

import static dev.gitopsinterlock.testing.Manifests.JOB;
import static dev.gitopsinterlock.testing.Manifests.edited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.Helm;
import dev.gitopsinterlock.testing.Workspace;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Both Pods are replaced, by the Deployment controller as the chart's strategy says and behind the Service's
 * EndpointSlice, while edits go on.
 */
@EnabledIfEnvironmentVariable(named = Platform.NETWORK, matches = ".+", disabledReason = Platform.WITHOUT_NETWORK)
@ExtendWith(Platform.Extension.class)
class InstallRolloutToolsIT {

    private final Platform platform;
    private final Workspace shop;
    private final Release release;

    InstallRolloutToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        shop = Workspace.in(platform.kubernetes(), "shop");
        release = platform.release(home);
    }

    @AfterEach
    void end() {
        release.close();
    }

    @Test
    void noReviewFailsWhileBothPodsAreReplaced() {
        release.helm(Helm.HELM_4, "install", "--wait", "--timeout", "5m").orFail();
        release.awaitTrusted();
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        await("our words").atMost(Duration.ofMinutes(1)).until(this::edit, err -> err.contains("/guidance/"));
        var failOpen = platform.failOpenCount();
        var before = release.podNames();
        assertThat(before).hasSize(2);

        try (var load = Load.on(platform.kubernetes(), shop.namespace(), "db-migrate")) {
            load.awaitMore();
            release.kubectl("rollout", "restart", "deployment/" + Release.NAME).orFail();
            release.awaitReplaced(before);
            release.kubectl("rollout", "status", "deployment/" + Release.NAME, "--timeout=1m")
                    .orFail();
            load.awaitMore();
            System.out.println("install: both Pods replaced: " + load.words());
            assertThat(load.failures()).isEmpty();
        }

        assertThat(release.podNames()).hasSize(2).doesNotContainAnyElementsOf(before);
        assertThat(platform.failOpenCount()).as("reviews without an answer").isEqualTo(failOpen);
    }

    private String edit() {
        return shop.kubectl("apply", "-f", shop.file(edited(JOB))).err();
    }
}
