package dev.gitopsinterlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Cluster.Extension.class)
class JobEditIT {

    private final Cluster cluster;

    JobEditIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void clusterIsThere() {
        assertThat(cluster.controlPlane().kubectl("get", "ns").orFail().out()).contains("kube-system");
    }
}
