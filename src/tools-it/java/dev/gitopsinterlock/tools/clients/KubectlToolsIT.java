package dev.gitopsinterlock.tools.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A person changes the image of a Job. */
@ExtendWith({Cluster.Extension.class, Stories.class})
class KubectlToolsIT {

    private final Workspace shop;

    KubectlToolsIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "kubectl");
    }

    static Stream<Arguments> everyCommandAndPolicy() {
        return Stream.of("apply -f", "apply --force -f", "apply --server-side -f", "replace -f", "diff -f", "set image")
                .flatMap(command ->
                        Stream.of("Reject", "Replace", "Ignore").map(policy -> Arguments.of(command, policy)));
    }

    @ParameterizedTest
    @MethodSource("everyCommandAndPolicy")
    @Execution(ExecutionMode.CONCURRENT)
    void theImageOfAJobChanges(String command, String policy, Story story) {
        story.of("kubectl", "the image of a Job changes", command, policy);
        shop.onImmutableChange(policy);
        var manifest = Example.of("jobs").text("db-migrate.yaml");
        var create = command.contains("--server-side") ? "apply --server-side -f " : "apply -f ";
        shop.kubectl((create + shop.file(manifest)).split(" ", -1)).orFail();
        shop.awaitComplete("db-migrate");
        var history = JobHistory.of(shop, "db-migrate");

        var edit = command.equals("set image")
                ? "set image job/db-migrate migrate=registry.example/shop/migrate:1.1"
                : command + " " + shop.file(manifest.replace("1.0", "1.1"));
        var answer = shop.kubectl(edit.split(" ", -1));

        var runs = !command.startsWith("diff") && (policy.equals("Replace") || command.contains("--force"));
        if (runs) {
            history.awaitComplete("migrate:1.1");
        }
        assertThat(history.newRuns()).isEqualTo(runs ? 1 : 0);
        story.shows("exit code " + answer.exitCode(), answer.text(), shop).job(history.outcome(), history.afterwards());
    }
}
