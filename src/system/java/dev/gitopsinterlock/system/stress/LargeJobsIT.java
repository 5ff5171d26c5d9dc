package dev.gitopsinterlock.system.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.system.stress.Client.Answer;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Large Jobs are edited at once, by a service with the image's heap: each is there in the end, and so is the service. */
@ExtendWith(Cluster.Extension.class)
class LargeJobsIT {

    private static final Executor CLIENTS = Thread.ofVirtual()::start;

    private static final int VALUE = 60;

    private final Cluster cluster;

    LargeJobsIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Fewer with every build than with {@code make stress}. */
    static Stream<Arguments> jobs() {
        var isStress = Integer.getInteger("stress.jobs") != null;
        return Stream.of(Arguments.of(isStress ? 10 : 3, 3_300, "1.1"), Arguments.of(isStress ? 3 : 1, 10_000, "1.0"));
    }

    /** Those that take more memory than there is are left as they are, and their clients are told so. */
    @ParameterizedTest(name = "{0} Jobs of {1} environment variables: {2}", quoteTextArguments = false)
    @MethodSource("jobs")
    void areReplacedOrKeptAndNoneIsLost(int jobs, int variables, String version) {
        var namespace = "large-%d-%d".formatted(jobs, variables);
        cluster.controlPlane().createNamespace(namespace);
        var client = new Client(cluster.controlPlane(), namespace);
        var names = IntStream.range(0, jobs).mapToObj("job-%03d"::formatted).toList();
        names.forEach(name -> begin(client, manifest(name, "1.0", variables)));

        var answers = atOnce(names.stream()
                .map(name ->
                        CompletableFuture.supplyAsync(() -> client.apply(manifest(name, "1.1", variables)), CLIENTS))
                .toList());

        System.out.printf(
                "large Jobs: %d of %d bytes at once, %d replaced at the first attempt%n",
                jobs,
                manifest("x", "1.0", variables).toString().length(),
                answers.stream().filter(Answer::isSuccess).count());
        assertThat(answers).allMatch(answer -> answer.isSuccess() || isRefused(answer));
        for (var name : names) {
            await("there " + name)
                    .atMost(Patience.LIMIT)
                    .until(() -> client.get(name).isSuccess());
            await("answered " + name).atMost(Patience.LIMIT).until(() -> {
                var answer = client.apply(manifest(name, "1.1", variables));
                return version.equals("1.0") ? isRefused(answer) : answer.isSuccess();
            });
            assertThat(Kind.FINISHED.is(client.get(name).body(), version)).isTrue();
        }
        assertThat(cluster.interlock().process().isAlive()).isTrue();
    }

    /** With our words, or with the API server's where there was no room to judge it. */
    private static boolean isRefused(Answer answer) {
        return answer.toString().contains(" NotReplacedNow")
                || answer.toString().contains("field is immutable");
    }

    private static void begin(Client client, JsonNode job) {
        client.apply(job).orFail();
        client.awaitReached(Kind.FINISHED, job.at("/metadata/name").asText());
    }

    private static List<Answer> atOnce(List<CompletableFuture<Answer>> edits) {
        return edits.stream().map(CompletableFuture::join).toList();
    }

    private static JsonNode manifest(String name, String version, int variables) {
        var job = Kind.FINISHED.manifest(name, version);
        var container = (ObjectNode) job.at("/spec/template/spec/containers/0");
        ArrayNode env = container.putArray("env");
        for (int i = 0; i < variables; i++) {
            env.addObject().put("name", "VARIABLE_" + i).put("value", "v".repeat(VALUE) + i);
        }
        return job;
    }
}
