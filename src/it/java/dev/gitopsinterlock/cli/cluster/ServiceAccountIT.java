package dev.gitopsinterlock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gitopsinterlock.cli.doctor.Canary;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.CheckResult;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a Pod without kubectl does, with no more than its account's token. */
@ExtendWith(Cluster.Extension.class)
class ServiceAccountIT {

    private final ControlPlane controlPlane;
    private final Workspace shop;

    @TempDir
    private Path mounted;

    ServiceAccountIT(Cluster cluster) {
        this.controlPlane = cluster.controlPlane();
        this.shop = Workspace.in(controlPlane, "in-pod");
    }

    @Test
    void threeRightsAreEnoughForACanary() throws Exception {
        shop.account("canary", "create,update,delete");

        var diagnosis = new Canary(account("canary")).ofNew(shop.namespace());

        assertThat(diagnosis.words()).contains("got the words of JobEdit");
        assertThat(diagnosis.verdict()).isEqualTo(CheckResult.OK);
        assertThat(shop.jobs()).isEmpty();
    }

    @Test
    void saysWhichRightIsMissingAndLeavesNothingBehind() throws Exception {
        shop.account("canary", "create,delete");

        var diagnosis = new Canary(account("canary")).ofNew(shop.namespace());

        assertThat(diagnosis.words()).isEqualTo("not checked: you may not update jobs.batch in " + shop.namespace());
        assertThat(shop.jobs()).isEmpty();
    }

    @Test
    void saysWhatItCouldNotTakeAway() throws Exception {
        shop.account("canary", "create,update");

        var diagnosis = new Canary(account("canary")).ofNew(shop.namespace());

        assertThat(shop.jobs()).hasSize(1);
        assertThat(diagnosis.words()).contains("The Job is still there (you may not delete jobs.batch");
        assertThat(diagnosis.next())
                .hasValue("kubectl -n %s delete job %s"
                        .formatted(shop.namespace(), shop.jobs().getFirst()));
    }

    @Test
    void aNamespaceThatIsNotThereIsWrongUse() throws Exception {
        shop.account("canary", "create,update,delete");
        controlPlane.kubeconfig(shop.namespace(), "canary");

        assertThatThrownBy(() -> new Canary(account("canary")).ofNew("nowhere"))
                .isInstanceOf(Unreadable.class)
                .hasMessage("there is no Namespace nowhere");
    }

    private ApiServer account(String name) throws IOException, Unreadable {
        Files.writeString(mounted.resolve("token"), controlPlane.token(shop.namespace(), name));
        Files.copy(controlPlane.caFile(), mounted.resolve("ca.crt"));
        return new ServiceAccount(URI.create(controlPlane.server()), mounted);
    }
}
