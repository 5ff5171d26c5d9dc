package dev.gitopsinterlock.it.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command.Result;
import dev.gitopsinterlock.testing.text.StoredOtherwise;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jobs with fields that are stored otherwise than they are written, edited by server-side apply: nobody but the client
 * owns them afterwards, so no edit conflicts with an earlier one.
 */
@ExtendWith(Cluster.Extension.class)
class ServerSideApplyIT {

    private final Cluster cluster;

    ServerSideApplyIT(Cluster cluster) {
        this.cluster = cluster;
    }

    static Stream<Named<StoredOtherwise>> shapes() {
        return StoredOtherwise.ALL.stream().map(shape -> Named.of(shape.words(), shape));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void threeEditsInARowTakeEffect(StoredOtherwise shape) {
        var shop = Workspace.in(cluster.controlPlane(), "owners");
        shop.onImmutableChange("Replace");
        apply(shop, shape, "migrate", "1.0").orFail();
        for (var version : List.of("1.1", "1.2", "1.3")) {
            shop.awaitComplete("migrate");
            var old = shop.uid("migrate");

            var answer = apply(shop, shape, "migrate", version);

            assertThat(answer.exitCode()).as(answer.text()).isZero();
            assertThat(answer.err()).contains("was replaced and runs again");
            assertThat(shop.uid("migrate")).isNotEqualTo(old);
        }
        apply(shop, shape, "fresh", "1.3").orFail();
        assertThat(StoredOtherwise.owners(shop.job("migrate"))).isEqualTo(StoredOtherwise.owners(shop.job("fresh")));
    }

    private static Result apply(Workspace shop, StoredOtherwise shape, String name, String version) {
        return shop.kubectl(
                "apply", "--server-side", "--field-manager=helm", "-f", shop.file(shape.manifest(name, version)));
    }
}
