package dev.gitopsinterlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.Cluster;
import dev.gitopsinterlock.testing.Command.Result;
import dev.gitopsinterlock.testing.Workspace;
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

    static Stream<Named<Shape>> shapes() {
        return Stream.of(
                container("fieldRef", """
                        env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]"""),
                container("resourceFieldRef", """
                        env: [{name: A, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]"""),
                container("cpu 0.5", "resources: {requests: {cpu: \"0.5\"}}"),
                container("cpu 1000m", "resources: {limits: {cpu: 1000m}}"),
                container("memory 1024Mi", "resources: {requests: {memory: 1024Mi}}"),
                pod("projected token", """
                        volumes: [{name: token, projected: {sources: [{serviceAccountToken: {path: token}}]}}]"""),
                pod("downwardAPI", """
                        volumes: [{name: me, downwardAPI: {items: [{path: name, fieldRef: {fieldPath: metadata.name}}]}}]"""),
                job("podFailurePolicy", """
                        podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}"""),
                job("no unusual field", "backoffLimit: 2"));
    }

    /** Lines of a manifest and where they belong. */
    record Shape(String job, String pod, String container) {

        String manifest(String name, String version) {
            return """
                    apiVersion: batch/v1
                    kind: Job
                    metadata:
                      name: %s
                    spec:
                      %s
                      template:
                        spec:
                          restartPolicy: Never
                          %s
                          containers:
                            - name: migrate
                              image: registry.example/migrate:%s
                              %s
                    """.formatted(name, job, pod, version, container);
        }
    }

    private static Named<Shape> job(String name, String line) {
        return Named.of(name, new Shape(line, "", ""));
    }

    private static Named<Shape> pod(String name, String line) {
        return Named.of(name, new Shape("", line, ""));
    }

    private static Named<Shape> container(String name, String line) {
        return Named.of(name, new Shape("", "", line));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void threeEditsInARowAreCarriedOut(Shape shape) {
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
        assertThat(owners(shop.job("migrate"))).isEqualTo(owners(shop.job("fresh")));
    }

    private static Result apply(Workspace shop, Shape shape, String name, String version) {
        return shop.kubectl(
                "apply", "--server-side", "--field-manager=helm", "-f", shop.file(shape.manifest(name, version)));
    }

    /** Of the Job, whatever was said of its status, and when. */
    private static List<JsonNode> owners(JsonNode job) {
        return job.path("metadata")
                .path("managedFields")
                .valueStream()
                .filter(entry -> entry.path("subresource").asText().isEmpty())
                .<JsonNode>map(entry -> entry.<ObjectNode>deepCopy().without("time"))
                .toList();
    }
}
