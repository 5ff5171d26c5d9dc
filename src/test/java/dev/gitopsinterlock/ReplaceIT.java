package dev.gitopsinterlock;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.Cluster;
import dev.gitopsinterlock.testing.Command;
import dev.gitopsinterlock.testing.Jobs;
import dev.gitopsinterlock.testing.Workspace;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits that are carried out as a replacement, by the clients that people use, on the real API server. */
@ExtendWith(Cluster.Extension.class)
class ReplaceIT {

    private static final String JOB = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: db-migrate
              annotations:
                gitops-interlock.dev/on-immutable-change: Replace
            spec:
              template:
                metadata:
                  labels: {testbed.gitops-interlock.dev/outcome: succeed}
                spec:
                  restartPolicy: Never
                  containers:
                    - name: migrate
                      image: registry.example/migrate:1.0
            """;

    private static final String EDITED = JOB.replace("migrate:1.0", "migrate:1.1");

    private final Workspace shop;

    ReplaceIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "replace");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apply -f MANIFEST",
                "apply --server-side -f MANIFEST",
                "apply --server-side --force-conflicts -f MANIFEST",
                "apply --server-side --field-manager=helm -f MANIFEST"
            })
    void anAppliedEditRunsAsANewJobThatBelongsToTheClientAlone(String command) {
        shop.kubectl(arguments(command, JOB)).orFail();
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");

        var answer = shop.kubectl(arguments(command, EDITED)).orFail();

        assertReplaced(answer, uid);
        shop.awaitComplete("db-migrate");
        var replaced = shop.job("db-migrate");
        assertThat(shop.kubectl(arguments(command, EDITED)).orFail().text())
                .doesNotContain("Warning")
                .matches("(?s).*(unchanged|serverside-applied)\\n");
        assertThat(shop.job("db-migrate")).isEqualTo(replaced);

        shop.kubectl("delete", "job", "db-migrate").orFail();
        shop.kubectl(arguments(command, EDITED)).orFail();
        shop.awaitComplete("db-migrate");
        assertThat(owners(replaced)).isEqualTo(owners(shop.job("db-migrate")));
        assertThat(content(replaced)).isEqualTo(content(shop.job("db-migrate")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replace -f MANIFEST",
                "set image job/db-migrate migrate=registry.example/migrate:1.1",
                "patch job db-migrate --type=strategic -p {\"spec\":{\"template\":{\"spec\":{\"containers\":"
                        + "[{\"name\":\"migrate\",\"image\":\"registry.example/migrate:1.1\"}]}}}}",
                "patch job db-migrate --type=merge -p {\"spec\":{\"template\":{\"spec\":{\"containers\":"
                        + "[{\"name\":\"migrate\",\"image\":\"registry.example/migrate:1.1\"}]}}}}",
                "patch job db-migrate --type=json -p [{\"op\":\"replace\",\"path\":"
                        + "\"/spec/template/spec/containers/0/image\",\"value\":\"registry.example/migrate:1.1\"}]"
            })
    void anyOtherEditRunsAsANewJob(String command) {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");

        var answer = shop.kubectl(arguments(command, EDITED)).orFail();

        assertReplaced(answer, uid);
        shop.awaitComplete("db-migrate");
        var owners = owners(shop.job("db-migrate"));
        assertThat(owners.keySet())
                .as("the client and the Job controller")
                .hasSize(2)
                .anyMatch(owner -> owner.startsWith("kubectl-") && owner.endsWith(" Update "))
                .contains("kube-controller-manager Update status");
    }

    @Test
    void aPutOfTheLiveObjectIsReplacedAndItsSenderToldOfAConflict() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");
        var live =
                shop.kubectl("get", "job", "db-migrate", "-o", "yaml").orFail().out();

        var answer = shop.kubectl("replace", "-f", shop.file(live.replace("migrate:1.0", "migrate:1.1")));

        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err()).contains("Conflict");
        assertThat(shop.uid("db-migrate")).isNotEqualTo(uid);
        shop.awaitComplete("db-migrate");
    }

    private void assertReplaced(Command.Result answer, String uid) {
        assertThat(answer.err()).contains("Warning: Job db-migrate was replaced and runs again");
        var job = shop.job("db-migrate");
        assertThat(job.path("metadata").path("uid").asText()).isNotEqualTo(uid);
        assertThat(job.at("/spec/template/spec/containers/0/image").asText()).endsWith("migrate:1.1");
        assertThat(job.path("metadata").path("annotations").has("gitops-interlock.dev/replacing"))
                .isFalse();
        assertThat(job.path("metadata")
                        .path("annotations")
                        .path("gitops-interlock.dev/replaced")
                        .asText())
                .startsWith(uid + "/");
        assertThat(shop.jobs()).containsExactly("db-migrate");
    }

    private String[] arguments(String command, String manifest) {
        return command.replace("MANIFEST", shop.file(manifest)).split(" ");
    }

    /** What each manager owns. */
    private static Map<String, JsonNode> owners(JsonNode job) {
        var owners = new TreeMap<String, JsonNode>();
        for (var entry : job.path("metadata").path("managedFields")) {
            owners.put(
                    "%s %s %s"
                            .formatted(
                                    entry.path("manager").asText(),
                                    entry.path("operation").asText(),
                                    entry.path("subresource").asText()),
                    entry.path("fieldsV1"));
        }
        return owners;
    }

    /** Everything that a new Job of the same manifest has too. */
    private static JsonNode content(JsonNode job) {
        var copy = Jobs.manifest(job);
        copy.withObject("/metadata").remove("managedFields");
        copy.withObject("/metadata/annotations").remove("gitops-interlock.dev/replaced");
        ((ObjectNode) copy.path("metadata").path("labels"))
                .remove(List.of("controller-uid", "batch.kubernetes.io/controller-uid"));
        return copy;
    }
}
