package dev.gitopsinterlock.tools.restarts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.RoundRobin;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No upgrade is held beyond its limit, whichever replica is asked, with the real system-upgrade-controller. */
@RequiresTools("upgradecontroller")
class UpgradeLimitToolsIT {

    private static final Duration LIMIT = Duration.ofSeconds(15);

    @Test
    void aReplicaThatTakesOverLetsAnUpgradeGoWhenTheFirstOneWouldHave() {
        try (var upgrades = new Upgrades();
                var one = launch(upgrades);
                var two = launch(upgrades);
                var balancer = RoundRobin.over(one, two)) {
            one.awaitReady();
            two.awaitReady();
            upgrades.register(balancer.url(), one, two);
            upgrades.applications().startSync(Upgrades.APPLICATION);
            await("both know the sync")
                    .atMost(Patience.LIMIT)
                    .until(() -> Stream.of(one, two)
                            .allMatch(replica -> replica.metrics().contains("gitops_interlock_syncs_running 1.0")));

            upgrades.begin();
            await("one has refused")
                    .atMost(Patience.LIMIT)
                    .until(() -> count(one, "held\"") + count(two, "held\"") > 0);
            var first = count(one, "held\"") > 0 ? one : two;
            var second = first == one ? two : one;
            balancer.remove(first);
            first.close();
            await("the other one has refused, too").atMost(Patience.LIMIT).until(() -> {
                touch(upgrades);
                return count(second, "held\"") > 0;
            });
            var until = upgrades.underWaySince().plus(LIMIT);
            await("let go").atMost(Patience.LIMIT).until(() -> {
                touch(upgrades);
                return !upgrades.running().isEmpty();
            });

            assertThat(Instant.now()).isAfterOrEqualTo(until);
            upgrades.awaitDone();
            upgrades.awaitTold("RolloutReleased", ": limit reached");
            assertThat(count(second, "limit_reached\"")).as("one for each Node").isEqualTo(2);
            assertThat(second.metrics()).contains("gitops_interlock_syncs_running 1.0");
        }
    }

    private static Interlock launch(Upgrades upgrades) {
        return upgrades.service()
                .with("gitops-interlock.machine-configs.max-hold", LIMIT.toSeconds() + "s")
                // the API server goes on with its connections until it is told with an answer, as in a cluster
                .with("quarkus.shutdown.delay", "5s")
                .launch();
    }

    /** So that the controller tries now. */
    private static void touch(Upgrades upgrades) {
        upgrades.annotate("gitops-interlock.dev.cattle.io/touched=" + Instant.now());
    }

    private static double count(Interlock interlock, String reason) {
        return OpenShiftCluster.reviews(interlock, "validate-nodes", reason);
    }
}
