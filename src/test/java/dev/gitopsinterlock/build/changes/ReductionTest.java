package dev.gitopsinterlock.build.changes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.change.RealChange;
import dev.gitopsinterlock.testing.change.RealChange.Facts;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReductionTest {

    private static final String OLD = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: migrate
              labels: {helm.sh/chart: shop-1.0, owner: somebody}
              annotations: {helm.sh/hook-weight: "-1", note: somebody's words}
            spec:
              backoffLimit: 3
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: migrate
                      image: registry.example/shop:1.0
                      command: [somebody's script]
                      env:
                        - {name: SAME, value: one}
                        - {name: OTHER, value: one}
                        - {name: THIRD, value: registry.example/shop:1.0}
            """;

    private final RealChange reduced = Reduction.of(
            change(OLD, OLD.replace("shop:1.0", "shop:latest").replace("OTHER, value: one", "OTHER, value: two")));

    private static RealChange change(String before, String after) {
        var facts = new Facts("shop", "1.0", "1.1", "example/shop 1.0 1.1", true, Optional.empty());
        return new RealChange("shop-1.1", facts, jobs(before), jobs(after), jobs(after));
    }

    private static List<ObjectNode> jobs(String manifest) {
        return List.of(Trees.fromYaml(manifest));
    }

    @Test
    void factsAndMarksStayAndTextsDoNot() {
        assertThat(reduced.text())
                .contains("migrate", "helm.sh/chart: \"shop-1.0\"", "backoffLimit: 3", "OTHER")
                .doesNotContain("somebody", "registry.example", "SAME", "one", "two");
    }

    /** An unchanged field goes, and one text has one stand-in. */
    @Test
    void whatIsTheSameStaysTheSame() {
        var before = reduced.before().getFirst().at("/spec/template/spec/containers/0");
        var after = reduced.after().getFirst().at("/spec/template/spec/containers/0");

        assertThat(before.path("image").asText()).isEqualTo("example/text-1:1");
        assertThat(before.at("/env/1/value").asText()).isEqualTo("text-1");
        assertThat(after.path("image").asText()).matches("example/text-[0-9]+:latest");
        assertThat(before.path("env")).hasSize(2);
        assertThat(before.has("command")).isFalse();
    }

    /** Pods keep the labels that select them, and an object that does not differ goes. */
    @Test
    void otherKindsStayValid() {
        var database = """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: database}
                spec:
                  selector: {matchLabels: {app: somebody}}
                  template:
                    metadata: {labels: {app: somebody, chart: one}}
                    spec:
                      containers: [{name: database, image: registry.example/database:1.0}]
                  volumeClaimTemplates:
                    - metadata: {name: data}
                      spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """;

        var same = Reduction.of(change(database, database));
        var grown = Reduction.of(change(database, database.replace("1Gi", "2Gi")));

        assertThat(same.before()).isEmpty();
        assertThat(grown.text()).contains("1Gi", "2Gi", "ReadWriteOnce").doesNotContain("somebody");
        assertThat(grown.before().getFirst().at("/spec/selector/matchLabels/app"))
                .isEqualTo(grown.before().getFirst().at("/spec/template/metadata/labels/app"));
    }

    @Test
    void aFileGivesTheChangeBack(@TempDir Path folder) {
        var file = folder.resolve("shop-1.1.yaml");
        Texts.write(file, reduced.text());

        assertThat(RealChange.read(file)).isEqualTo(reduced);
        assertThat(Reduction.of(reduced).text()).isEqualTo(Reduction.of(reduced).text());
    }
}
