package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An edit that is never stored, by kubectl. */
@ExtendWith(Cluster.Extension.class)
class DoctorCanaryIT {

    private final ControlPlane controlPlane;
    private final Workspace shop;

    DoctorCanaryIT(Cluster cluster) {
        this.controlPlane = cluster.controlPlane();
        this.shop = Workspace.in(controlPlane, "canary");
    }

    @Test
    void aNewJobGetsOurWordsAndIsGone() {
        var run = canary(controlPlane.adminKubeconfig(), "--canary-namespace", shop.namespace());

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).startsWith("ok       canary: a dry-run edit of Job " + shop.namespace());
        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(shop.jobs()).isEmpty();
    }

    @Test
    void aJobThatIsThereStaysAsItIs() {
        shop.kubectl("create", "job", "one", "--image=one").orFail();
        shop.awaitComplete("one");
        var before = shop.job("one");

        var run = canary(controlPlane.adminKubeconfig());

        assertThat(run.out()).contains("got the words of ");
        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        assertThat(shop.job("one")).isEqualTo(before);
    }

    /** Where nobody asks us, the API server's own words come, and nothing else would tell under failurePolicy Ignore. */
    @Test
    void theApiServersOwnWordsAreAProblem() {
        var run = canary(controlPlane.adminKubeconfig(), "--canary-namespace", "kube-system");

        assertThat(run.out())
                .startsWith("problem  canary: ")
                .contains("got the API server's own words: the webhook was not asked");
        assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
    }

    /** Nobody may take it for good. */
    @Test
    void whoMayNothingLearnsWhy() {
        var run = canary(controlPlane.plainKubeconfig(shop.namespace(), "nobody"));

        assertThat(run.out()).startsWith("unknown  canary: not checked: you may not list jobs.batch in the cluster\n");
        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
    }

    private Run canary(Path kubeconfig, String... arguments) {
        return Run.on(
                controlPlane,
                kubeconfig,
                "doctor",
                Stream.concat(Stream.of("--only", "canary"), Stream.of(arguments))
                        .toArray(String[]::new));
    }
}
