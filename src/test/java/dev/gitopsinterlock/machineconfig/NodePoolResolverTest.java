package dev.gitopsinterlock.machineconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.Trees;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which pool a Node belongs to. */
class NodePoolResolverTest {

    private static final List<Pool> POOLS = List.of(
            pool("worker", "rendered-worker"),
            pool("infra", "rendered-infra"),
            pool("edge", "rendered-edge"),
            pool("arbiter", "rendered-arbiter"),
            pool("master", "rendered-master"));

    @ParameterizedTest
    @CsvSource({
        "worker, worker",
        "worker infra, infra",
        "infra, infra",
        "master, master",
        "master worker, master",
        "master worker infra, master",
        "arbiter, arbiter",
        "worker arbiter, arbiter"
    })
    void masterComesBeforeCustomBeforeWorker(String roles, String pool) {
        assertThat(poolOf(roles, "x")).map(Pool::name).hasValue(pool);
    }

    @Test
    void nodeOfNoPoolHasNone() {
        assertThat(poolOf("storage", "x")).isEmpty();
    }

    @Test
    void nodeOfTwoCustomPoolsBelongsToTheOneThatSendsIt() {
        assertThat(poolOf("worker infra edge", "rendered-edge")).map(Pool::name).hasValue("edge");
        assertThat(poolOf("worker infra edge", "rendered-worker")).isEmpty();
        assertThat(poolOf("arbiter infra", "rendered-infra"))
                .as("arbiter is a custom pool")
                .map(Pool::name)
                .hasValue("infra");
    }

    private static Pool pool(String name, String target) {
        return Pool.of(Trees.json("""
                {'metadata': {'name': '%s'}, 'spec': {'configuration': {'name': '%s'},
                 'nodeSelector': {'matchLabels': {'node-role.kubernetes.io/%s': ''}}}}
                """.formatted(name, target, name)));
    }

    private static Optional<Pool> poolOf(String roles, String target) {
        var labels = Arrays.stream(roles.split(" ", -1))
                .collect(Collectors.toMap(role -> "node-role.kubernetes.io/" + role, role -> ""));
        return NodePoolResolver.of(labels, target, POOLS);
    }
}
