package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Looks at live Jobs of the real API server, and compares with what happens to them. */
@ExtendWith(Cluster.Extension.class)
class ScanIT {

    private static final String NAMESPACE = "scan";
    private static final String LARGE = "scan-large";

    private static final String JOBS = """
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: plain
              namespace: scan
            spec:
              suspend: true
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: main
                      image: registry.example/app:1
            ---
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: forced
              namespace: scan
              annotations:
                argocd.argoproj.io/sync-options: Force=true
            spec:
              suspend: true
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: main
                      image: registry.example/app:1
            ---
            apiVersion: batch/v1
            kind: Job
            metadata:
              name: misspelt
              namespace: scan
              annotations:
                argocd.argoproj.io/sync-options: force=true
            spec:
              suspend: true
              template:
                spec:
                  restartPolicy: Never
                  containers:
                    - name: main
                      image: registry.example/app:1
            ---
            apiVersion: batch/v1
            kind: CronJob
            metadata:
              name: nightly
              namespace: scan
            spec:
              schedule: "0 3 * * *"
              jobTemplate:
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                        - name: main
                          image: registry.example/app:1
            """;

    private final ControlPlane controlPlane;

    ScanIT(Cluster cluster) {
        this.controlPlane = cluster.controlPlane();
    }

    @BeforeEach
    void jobs() {
        controlPlane.createNamespace(NAMESPACE);
        controlPlane.kubectl("apply", "-f", controlPlane.file(JOBS)).orFail();
        controlPlane.kubectl("-n", NAMESPACE, "create", "job", "of-a-cron-job", "--from=cronjob/nightly");
    }

    @Test
    void namesWhatWillBeRefusedAndWhatDoesNothing() throws IOException {
        var run = scan("-n", NAMESPACE, "-o", "json");
        var report = new ObjectMapper().readTree(run.out());

        assertThat(run.errors()).isEmpty();
        assertThat(run.code()).isEqualTo(ExitCode.FINDINGS);
        assertThat(report.path("objects").asInt()).isEqualTo(3);
        assertThat(job(report, "plain").path("code").asText()).isEqualTo("KubectlApplyJobEdit");
        assertThat(job(report, "plain").path("tool").asText()).isEqualTo("kubectl");
        assertThat(job(report, "forced").isMissingNode()).isTrue();
        assertThat(job(report, "misspelt").path("code").asText()).isEqualTo("ArgoCdJobEdit");
        assertThat(job(report, "misspelt").path("advice").path(0).asText()).startsWith("write exactly Force=true");
    }

    /** What it says of one is what this one gets. */
    @Test
    void theDenialHasTheSameWords() throws IOException {
        var report =
                new ObjectMapper().readTree(scan("-n", NAMESPACE, "-o", "json").out());
        var denial = controlPlane.kubectl(
                "apply",
                "-f",
                controlPlane.file(JOBS.substring(0, JOBS.indexOf("---")).replace("app:1", "app:2")));

        var remedy = job(report, "plain").path("remedy").asText();
        assertThat(remedy).isNotEmpty();
        assertThat(denial.err()).contains(remedy).contains("KubectlApplyJobEdit");
    }

    @Test
    void readsWithTheCallersRights() {
        var run = scanWith(controlPlane.plainKubeconfig(NAMESPACE, "nobody"));

        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(run.errors())
                .contains("Jobs were not scanned: you may not list jobs.batch in the cluster")
                .doesNotContain("\tat ");
    }

    @Test
    void saysItInText() {
        var run = scan("-n", NAMESPACE);

        assertThat(run.out())
                .contains("Job scan/plain (kubectl) will be refused when its image changes: KubectlApplyJobEdit")
                .endsWith("3 objects, 2 to look at; gitops-interlock explain CODE says more\n");
    }

    /** The API server refuses what it says. */
    @Test
    void namesOtherKindsWhoseFixedLabelsHaveAVersion() throws IOException {
        var file = controlPlane.file("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web, namespace: scan}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: web, app.kubernetes.io/version: v1}}
                  template:
                    metadata: {labels: {app: web, app.kubernetes.io/version: v1}}
                    spec: {containers: [{name: main, image: registry.example/app}]}
                """);
        controlPlane.kubectl("apply", "-f", file).orFail();
        var report =
                new ObjectMapper().readTree(scan("-n", NAMESPACE, "-o", "json").out());
        var edit = controlPlane.kubectl(
                "-n",
                NAMESPACE,
                "patch",
                "deployment/web",
                "--type=merge",
                "-p",
                "{\"spec\": {\"selector\": {\"matchLabels\": {\"app.kubernetes.io/version\": \"two\"}},"
                        + " \"template\": {\"metadata\": {\"labels\": {\"app.kubernetes.io/version\": \"two\"}}}}}");
        controlPlane.kubectl("delete", "-f", file).orFail();

        assertThat(job(report, "web").path("code").asText()).isEqualTo("SelectorEdit");
        assertThat(job(report, "web").path("when").asText())
                .isEqualTo("the version in its selector or claim templates changes");
        assertThat(edit.err()).contains("field is immutable");
    }

    /** The live Job tells what no manifest does: this one has never started. */
    @Test
    void aCheckAgainstTheClusterKnowsTheState() {
        var manifest = JOBS.substring(0, JOBS.indexOf("---"));
        var selector = manifest.replace("      containers:", "      nodeSelector: {disk: ssd}\n      containers:");
        var image = manifest.replace("app:1", "app:2");
        awaitSuspended();

        assertThat(live(manifest).out()).isEqualTo("1 Job checked, nothing found\n");
        assertThat(live(selector).out()).isEqualTo("1 Job checked, nothing found\n");
        assertThat(live(image).out()).contains("error: kubectl will fail on this change of Job scan/plain");
        assertThat(live(image.replace("name: plain", "name: not-there")).out())
                .isEqualTo("1 Job checked, nothing found\n");
        assertThat(controlPlane
                        .kubectl("apply", "--dry-run=server", "-f", controlPlane.file(selector))
                        .exitCode())
                .isZero();
    }

    /** Nothing can apply it as it is written, and it is no new object. */
    @Test
    void aVersionThatTheClusterDoesNotServeIsNamed() {
        controlPlane.addDefinitions("versions", List.of(Path.of(controlPlane.file("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: things.versions.example.com}
                spec:
                  group: versions.example.com
                  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
                  scope: Cluster
                  versions:
                  - {name: v2, served: true, storage: true, schema: &thing {openAPIV3Schema: {type: object}}}
                  - {name: v1, served: false, storage: false, schema: *thing}
                """))));
        var thing = "{apiVersion: versions.example.com/v1, kind: Thing, metadata: {name: a}}\n";
        var applied = controlPlane.kubectl("apply", "-f", controlPlane.file(thing));

        assertThat(live(thing).errors())
                .isEqualTo("Thing of versions.example.com/v1 was not judged: the cluster serves it as v2\n");
        assertThat(applied.err()).contains("no matches for kind \"Thing\"");
        assertThat(live(thing.replace("v1", "v2")).errors()).isEmpty();
        assertThat(live(thing.replace("Thing", "Other")).errors())
                .isEqualTo("Other of versions.example.com/v1 was not judged: the cluster serves no version of it\n");
    }

    /** The API server has the published definitions, and takes no field that they do not have. */
    @Test
    void theReportsCanBeApplied() {
        controlPlane.addDefinitionsOf("openreports");
        var reports = controlPlane.file(scan("-o", "openreports").out());

        var applied = controlPlane.kubectl(
                "apply", "--server-side", "--dry-run=server", "--validate=strict", "-f", reports, "-o", "json");

        assertThat(applied.err()).isEmpty();
        assertThat(applied.orFail().out()).contains("\"namespace\": \"scan\"", "\"policy\": \"KubectlApplyJobEdit\"");
    }

    /** Page by page, by the program in a process of its own with the memory that its script gives it. */
    @Test
    void aLargeClusterNeedsNoMoreMemory() throws IOException, InterruptedException, ExecutionException {
        var jobs = Integer.getInteger("scan.jobs", 1500);
        controlPlane.createNamespace(LARGE);
        create(jobs);

        var started = System.nanoTime();
        var run = OwnProcess.run(
                "scan",
                "-n",
                LARGE,
                "-o",
                "json",
                "--kubectl",
                controlPlane.kubectlProgram().toString(),
                "--kubeconfig",
                controlPlane.adminKubeconfig().toString());
        var seconds = (System.nanoTime() - started) / 1_000_000_000.0;

        System.out.printf("%d Jobs scanned in %.1f s and %d MiB%n", jobs, seconds, run.peakMebibytes());
        assertThat(new ObjectMapper().readTree(run.out()).path("found")).hasSize(jobs);
        assertThat(run.peakMebibytes()).isLessThan(256);
        controlPlane.kubectl("-n", LARGE, "delete", "jobs", "--all", "--cascade=orphan", "--wait=false");
    }

    /** Suspended, by server-side apply. */
    private void create(int count) throws InterruptedException, ExecutionException {
        var job = Trees.fromYaml(JOBS.substring(0, JOBS.indexOf("---")));
        try (var atOnce = Executors.newFixedThreadPool(20)) {
            var created = IntStream.range(0, count)
                    .mapToObj(i -> (Callable<Job>) () -> controlPlane
                            .admin()
                            .resource(job(job.deepCopy(), "job-" + i))
                            .fieldManager("kubectl")
                            .serverSideApply())
                    .toList();
            for (var each : atOnce.invokeAll(created)) {
                each.get();
            }
        }
    }

    private static Job job(ObjectNode tree, String name) {
        tree.withObject("/metadata").put("namespace", LARGE).put("name", name);
        return Serialization.unmarshal(tree.toString(), Job.class);
    }

    /** What depends on the version is decided by the one that runs. */
    @Test
    void aCheckAgainstTheClusterKnowsItsVersion() {
        var manifest = JOBS.substring(0, JOBS.indexOf("---"));
        var resources = manifest + "          resources: {limits: {memory: 64Mi}}\n";
        awaitSuspended();

        var said = live(resources);
        var done = controlPlane.kubectl("apply", "--dry-run=server", "-f", controlPlane.file(resources));

        assertThat(said.errors()).isEmpty();
        assertThat(said.out()).contains(done.exitCode() == 0 ? "nothing found" : ": error: ");
    }

    private void awaitSuspended() {
        await("the condition Suspended")
                .atMost(Patience.LIMIT)
                .until(() -> controlPlane
                        .kubectl("-n", NAMESPACE, "get", "job", "plain", "-o", "jsonpath={.status.conditions[*].type}")
                        .out()
                        .contains("Suspended"));
    }

    private Run live(String manifest) {
        return Run.withInput(
                manifest,
                Path.of(""),
                "check",
                "--live",
                "-",
                "--tool",
                "kubectl",
                "--kubectl",
                controlPlane.kubectlProgram().toString(),
                "--kubeconfig",
                controlPlane.adminKubeconfig().toString());
    }

    private Run scan(String... arguments) {
        return scanWith(controlPlane.adminKubeconfig(), arguments);
    }

    private Run scanWith(Path kubeconfig, String... arguments) {
        return Run.on(controlPlane, kubeconfig, "scan", arguments);
    }

    private static JsonNode job(JsonNode report, String name) {
        return report.path("found")
                .valueStream()
                .filter(job -> job.path("name").asText().equals(name))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }
}
