package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.annotated;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static dev.gitopsinterlock.testing.text.Manifests.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits that run as Jobs of their own, under the policy GenerateName. */
@ExtendWith(Cluster.Extension.class)
class SiblingJobIT {

    private static final String GENERATE = policy(JOB, "on-immutable-change", "GenerateName");
    private static final String RUN = "db-migrate-[b-z2-9]{5}";

    private final Workspace shop;

    SiblingJobIT(Cluster cluster) {
        shop = Workspace.in(cluster.controlPlane(), "runs");
    }

    @BeforeEach
    void makeJob() {
        shop.apply(GENERATE);
        shop.awaitComplete("db-migrate");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apply -f MANIFEST",
                "apply --server-side --force-conflicts -f MANIFEST",
                "replace -f MANIFEST",
                "set image job/db-migrate migrate=registry.example/migrate:1.1"
            })
    void anEditRunsOnceHoweverOftenItIsSent(String command) {
        var live = shop.job("db-migrate");

        for (int i = 0; i < 10; i++) {
            var answer = shop.kubectl(command.replace("MANIFEST", shop.file(edited(GENERATE)))
                            .split(" "))
                    .orFail();
            assertThat(answer.err())
                    .containsPattern(
                            i == 0
                                    ? "Warning: runs as Job " + RUN + "; the live Job keeps its old spec"
                                    : "Warning: this edit has run already, nothing was started");
        }

        var runs = runs();
        assertThat(runs).singleElement().asString().matches(RUN);
        shop.awaitComplete(runs.getFirst());
        var run = shop.job(runs.getFirst());
        assertThat(run.at("/spec/template/spec/containers/0/image").asText()).endsWith(":1.1");
        assertThat(run.at("/spec/ttlSecondsAfterFinished").asInt()).isEqualTo(86_400);
        assertThat(run.at("/metadata/annotations").isMissingNode()).isTrue();
        assertThat(shop.job("db-migrate").path("spec")).isEqualTo(live.path("spec"));
        assertThat(shop.uid("db-migrate")).isEqualTo(live.at("/metadata/uid").asText());
    }

    @Test
    void tenClientsAtOnceStartOneRun() {
        var file = shop.file(edited(GENERATE));

        var answers = IntStream.range(0, 10)
                .parallel()
                .mapToObj(i -> shop.kubectl("apply", "--server-side", "--force-conflicts", "-f", file))
                .toList();

        assertThat(answers).allSatisfy(answer -> assertThat(answer.exitCode()).isZero());
        assertThat(runs()).hasSize(1);
    }

    @Test
    void goingBackAndForthRunsEachTime() {
        for (var version : List.of("1.1", "1.2", "1.1")) {
            shop.apply(GENERATE.replace("migrate:1.0", "migrate:" + version));
        }

        assertThat(runs()).hasSize(3);
    }

    @Test
    void aDryRunStartsNothingAndShowsADrift() {
        var answer = shop.kubectl("apply", "--dry-run=server", "-o", "yaml", "-f", shop.file(edited(GENERATE)))
                .orFail();

        assertThat(answer.err()).containsPattern("Warning: would run as Job " + RUN);
        assertThat(answer.out()).contains("gitops-interlock.dev/last-run: 1:", "migrate:1.0");
        assertThat(shop.jobs()).containsExactly("db-migrate");
    }

    @Test
    void marksOfToolsStayWithTheLiveJob() {
        var tracked = annotated(
                        JOB,
                        "gitops-interlock.dev/on-immutable-change: GenerateName,"
                                + " argocd.argoproj.io/tracking-id: 'shop:batch/Job:" + shop.namespace()
                                + "/db-migrate',"
                                + " example.com/team: shop")
                .replace("labels: {}", "labels: {app.kubernetes.io/instance: shop, team: shop}");
        shop.apply(tracked);

        shop.apply(edited(tracked));

        var run = shop.job(runs().getFirst());
        assertThat(run.at("/metadata/annotations").toString()).isEqualTo("{\"example.com/team\":\"shop\"}");
        assertThat(run.at("/metadata/labels/team").asText()).isEqualTo("shop");
        assertThat(run.at("/metadata/labels").has("app.kubernetes.io/instance")).isFalse();
    }

    @Test
    void whoMayNotCreateJobsStartsNone() {
        var deployer = shop.account("deployer", "get,patch,update");

        var answer = shop.kubectl("--as=" + deployer, "apply", "-f", shop.file(edited(GENERATE)));

        assertThat(answer.err()).contains("RightsMissing", "the right to create jobs");
        assertThat(shop.jobs()).containsExactly("db-migrate");
    }

    private List<String> runs() {
        return shop.jobs().stream().filter(name -> !name.equals("db-migrate")).toList();
    }
}
