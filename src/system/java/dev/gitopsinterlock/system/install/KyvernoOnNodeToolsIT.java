package dev.gitopsinterlock.system.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.client.Kyverno;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/**
 * Work that really runs where a Kyverno changes or refuses Jobs, beside the image from the chart. {@code make test-kyverno} alone
 * runs this, on a Node of its own, because Kyverno's webhooks stay.
 */
@OnNode
@RequiresTools(value = "kyverno", definitions = "kyverno")
@TestInstance(Lifecycle.PER_CLASS)
class KyvernoOnNodeToolsIT {

    private static final String WITHDRAWN = "version 2 is withdrawn";

    private final Platform platform = Platform.start();
    private final Kyverno kyverno = Kyverno.startOnNode(platform.kubernetes());
    private final String image = platform.kubernetes().jobImage();

    @BeforeAll
    void install(@TempDir Path home) {
        platform.release(home)
                .helm(
                        Helm.HELM_4,
                        "install",
                        "--wait",
                        "--timeout",
                        "5m",
                        "--set",
                        "certificates.mode=selfManaged,replacement.enabled=true")
                .orFail();
        kyverno.enforce("""
                apiVersion: kyverno.io/v1
                kind: ClusterPolicy
                metadata: {name: sidecar}
                spec:
                  background: false
                  rules:
                    - name: sidecar
                      match: {any: [{resources: {kinds: [Job], operations: [CREATE]}}]}
                      mutate:
                        patchStrategicMerge:
                          spec:
                            template:
                              spec: {containers: [{name: proxy, image: "%s", command: [sh, -c, echo joined]}]}
                ---
                apiVersion: kyverno.io/v1
                kind: ClusterPolicy
                metadata: {name: withdrawn}
                spec:
                  background: false
                  rules:
                    - name: version
                      match: {any: [{resources: {kinds: [Pod]}}]}
                      validate:
                        failureAction: Enforce
                        message: %s
                        pattern: {spec: {containers: [{image: "!*:2.*"}]}}
                """.formatted(image, WITHDRAWN));
        var canary = shop();
        await("policies in effect").atMost(Patience.LIMIT).until(() -> {
            return canary.kubectl("create", "--dry-run=server", "-o", "yaml", "-f", canary.file(job(image, "one")))
                            .out()
                            .contains("joined")
                    && canary.kubectl("create", "--dry-run=server", "-f", canary.file(job("one:2.0", "one")))
                            .err()
                            .contains(WITHDRAWN);
        });
    }

    @AfterAll
    void end() {
        kyverno.close();
        platform.close();
    }

    @Test
    void anEditRunsOnceAsKyvernoMadeIt() {
        var shop = shop();
        shop.apply(job(image, "one"));
        awaitLogs(shop, "one\n");
        var first = shop.uid("work");

        assertThat(apply(shop, image, "two").orFail().err()).contains("Warning: Job work was replaced and runs again");

        awaitLogs(shop, "two\n");
        var second = shop.uid("work");
        assertThat(second).isNotEqualTo(first);
        apply(shop, image, "two").orFail();
        assertThat(shop.uid("work")).isEqualTo(second);
    }

    @Test
    void anEditThatKyvernoRefusesChangesNothing() {
        var shop = shop();
        shop.apply(job(image, "one"));
        awaitLogs(shop, "one\n");
        var before = shop.job("work");

        var answer = apply(shop, "one:2.0", "two");

        assertThat(answer.exitCode()).as(answer.text()).isNotZero();
        assertThat(answer.err()).contains("field is immutable", "NewJobRefused", WITHDRAWN);
        assertThat(shop.job("work")).isEqualTo(before);
    }

    private Workspace shop() {
        var shop = Workspace.in(platform.kubernetes(), "shop");
        shop.onImmutableChange("Replace");
        return shop;
    }

    private static String job(String image, String words) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata: {name: work}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: work, image: "%s", command: [sh, -c, echo %s]}]
                """.formatted(image, words);
    }

    private static Command.Result apply(Workspace shop, String image, String words) {
        return shop.kubectl("apply", "-f", shop.file(job(image, words)));
    }

    /** Complete, with what its two containers have said. */
    private static void awaitLogs(Workspace shop, String words) {
        shop.awaitComplete("work");
        assertThat(logs(shop, "work")).isEqualTo(words);
        assertThat(logs(shop, "proxy")).isEqualTo("joined\n");
    }

    private static String logs(Workspace shop, String container) {
        return shop.kubectl("logs", "job/work", "--container", container)
                .orFail()
                .out();
    }
}
