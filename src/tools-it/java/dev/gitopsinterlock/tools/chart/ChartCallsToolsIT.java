package dev.gitopsinterlock.tools.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.OpenShift;
import dev.gitopsinterlock.testing.review.Gates;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Which requests the real API server sends to which webhook, by its audit log: rules, selectors and matchConditions
 * together. Nobody listens where the registrations point, so that every call leaves an annotation in the log of having
 * failed open. {@code -Dgolden.update=true} writes docs/calls.md anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChartCallsToolsIT {

    private static final List<String> WEBHOOKS = List.of("jobs", "job-advice", "node-gate", "machineconfig-advice");
    private static final String JOB_CONTROLLER = "system:serviceaccount:kube-system:job-controller";
    private static final String OPERATOR = "system:serviceaccount:openshift-machine-config-operator:";
    private static final String IMAGE =
            "{'spec': {'template': {'spec': {'containers': [{'name': 'main', 'image': 'two'}]}}}}";
    private static final Pattern WRITE = Pattern.compile("\"verb\":\"(create|update|patch|delete)\"");
    private static final AtomicInteger SERIAL = new AtomicInteger();

    private static final String HEADER = """
            # Which requests are sent to gitops-interlock

            With every feature switched on. A request without a "yes" never leaves the API server. `make chart GOLDEN=true`
            writes this from the audit log of a real one.

            | request | jobs | job-advice | node-gate | machineconfig-advice | [other kinds](kinds.md) |
            |---|---|---|---|---|---|
            """;

    private final ControlPlane kubernetes = ControlPlane.start();
    private final List<Row> rows = new ArrayList<>();
    private int requests;

    private record Row(String request, List<String> called) {}

    @AfterAll
    void end() {
        kubernetes.close();
    }

    @Test
    void onlyTheRequestsThatConcernUsAreSentToUs() throws IOException {
        kubernetes.addDefinitionsOf("openshift");
        for (var namespace : List.of("shop", "exempt", Rendering.NAME)) {
            kubernetes.createNamespace(namespace);
        }
        register();

        jobs();
        jobsOfOthers();
        otherKinds();
        otherThings();
        nodes();
        machineConfigs();

        GoldenFiles.compare(Project.directory().resolve("docs/calls.md"), page(), "make chart GOLDEN=true");
    }

    private void jobs() {
        row("a Job is created", create(job("one", "")));
        row("the same as a dry run", create(job("two", ""), "--dry-run=server"));
        row("its template is changed", patch("job/one", IMAGE));
        row(
                "its template is changed by server-side apply",
                apply(job("one", "").replace("image: one", "image: three")));
        row("`suspend` is changed", patch("job/one", "{'spec': {'suspend': true}}"));
        row("its labels are changed", "label", "job/one", "team=shop");
        row("its annotations are changed", "annotate", "job/one", "team=shop");
        kubernetes
                .kubectl(create(
                        job("replaced", "annotations: {gitops-interlock.dev/replaced: old}"), "--namespace=shop"))
                .orFail();
        row(
                "labels of a Job that took another one's place: its fields' owners are set right",
                "label",
                "job/replaced",
                "team=shop");
        kubernetes
                .kubectl(create(job("terminating", "finalizers: [example.com/keep]"), "--namespace=shop"))
                .orFail();
        row("a Job is deleted", "delete", "job/terminating", "--wait=false");
        row("its template is changed while it is being deleted", patch("job/terminating", IMAGE));
    }

    private void jobsOfOthers() {
        for (var namespace : List.of("kube-system", Rendering.NAME, "exempt")) {
            row(
                    "a Job is created in "
                            + (namespace.equals("exempt") ? "one of `jobs.exemptNamespaces`" : namespace),
                    create(job("one", "namespace: " + namespace), "--namespace=" + namespace));
        }
        row(
                "a Job is created by Argo CD's account in a remote cluster, kube-system:argocd-manager",
                as("system:serviceaccount:kube-system:argocd-manager", create(job("remote", ""))));
        row("a CronJob is created", "create", "cronjob", "tick", "--image=one", "--schedule=0 0 1 1 *");
        row(
                "a Job is created by its CronJob",
                as("system:serviceaccount:kube-system:cronjob-controller", create(job("owned", ownedBy("tick")))));
        row("the template of a Job that has a controller is changed", patch("job/owned", IMAGE));
        row(
                "the Job controller changes a Job's spec",
                as(JOB_CONTROLLER, patch("job/remote", "{'spec': {'suspend': true}}")));
        row(
                "the Job controller writes a Job's status",
                as(JOB_CONTROLLER, patch("job/remote", "{'status': {'ready': 0}}", "--subresource=status")));
    }

    private String ownedBy(String cronJob) {
        var owner = kubernetes
                .admin()
                .batch()
                .v1()
                .cronjobs()
                .inNamespace("shop")
                .withName(cronJob)
                .get();
        return "ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: %s, uid: %s, controller: true}]"
                .formatted(cronJob, owner.getMetadata().getUid());
    }

    private void otherKinds() {
        row("a Deployment is created", "create", "deployment", "web", "--image=one");
        row("its image is changed", "set", "image", "deployment/web", "one=two");
        row("its `replicas` are changed", patch("deployment/web", "{'spec': {'replicas': 0}}"));
        row("it is scaled", "scale", "deployment/web", "--replicas=0");
        row("its labels are changed", "label", "deployment/web", "team=shop");
        row("its selector is changed", patch("deployment/web", "{'spec': {'selector': {'matchLabels': {'a': 'b'}}}}"));
        row("a Secret is created", "create", "secret", "generic", "one", "--from-literal=key=one");
        row("its data is changed", patch("secret/one", "{'stringData': {'key': 'two'}}"));
        row("it is marked `immutable`", patch("secret/one", "{'immutable': true}"));
        row("the data of an immutable Secret is changed", patch("secret/one", "{'stringData': {'key': 'three'}}"));
        row("a RoleBinding is created", "create", "rolebinding", "one", "--clusterrole=edit", "--user=carol");
        row("its subjects are changed", patch("rolebinding/one", "{'subjects': []}"));
        row("its role is changed", patch("rolebinding/one", "{'roleRef': {'name': 'view'}}"));
        row("a PersistentVolumeClaim is created", create("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: one}
                spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
                """));
        row("its labels are changed", "label", "pvc/one", "team=shop");
        row("its size is changed", patch("pvc/one", "{'spec': {'resources': {'requests': {'storage': '2Gi'}}}}"));
    }

    private void otherThings() {
        row("a Pod is created", "run", "pod", "--image=one");
        row("a Lease is created", create("{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: one}}"));
        row("a Namespace is created", "create", "namespace", "another");
    }

    private void nodes() {
        OpenShift.on(kubernetes).createNode("worker-0", "worker");
        row(
                "the machine-config controller sends a Node to another configuration",
                as(Gates.CONTROLLER, annotateNode(OpenShift.DESIRED_CONFIG)));
        row(
                "the machine-config controller sends a Node to another image",
                as(Gates.CONTROLLER, annotateNode("machineconfiguration.openshift.io/desiredImage")));
        row(
                "the machine-config controller writes something else on a Node",
                as(Gates.CONTROLLER, annotateNode("machineconfiguration.openshift.io/note")));
        row("somebody else writes a Node's desired configuration", annotateNode(OpenShift.DESIRED_CONFIG));
        row(
                "the machine-config daemon reports a Node's current configuration",
                as(OPERATOR + "machine-config-daemon", annotateNode(OpenShift.CURRENT_CONFIG)));
        row(
                "a Node's status is written",
                patch("node/worker-0", "{'status': {'phase': 'Running'}}", "--subresource=status"));
        row("a Node is labelled", "label", "node/worker-0", "a=b");
        row("a Node is deleted", "delete", "node/worker-0");
    }

    private void machineConfigs() {
        row("a MachineConfig is created", create(machineConfig("50-one")));
        row("a MachineConfig is changed", patch("machineconfig/50-one", "{'spec': {'kernelType': 'realtime'}}"));
        row("a MachineConfig is labelled: pools select by labels", "label", "machineconfig/50-one", "a=b");
        row("a MachineConfig is annotated", "annotate", "machineconfig/50-one", "a=b");
        row("a MachineConfig is deleted", "delete", "machineconfig/50-one");
        row(
                "the machine-config controller creates a rendered one",
                as(Gates.CONTROLLER, create(machineConfig("rendered-worker-1"))));
        for (var kind : List.of("KubeletConfig", "ContainerRuntimeConfig")) {
            row("a %s is created".formatted(kind), create("""
                            apiVersion: machineconfiguration.openshift.io/v1
                            kind: %s
                            metadata: {name: one}
                            spec: {containerRuntimeConfig: {logLevel: info}}
                            """.formatted(kind), "--validate=ignore"));
        }
        OpenShift.on(kubernetes).createPool("worker");
        row("a MachineConfigPool is paused", patch("machineconfigpool/worker", "{'spec': {'paused': true}}"));
    }

    /** What the chart registers, with an address where nobody is. */
    private void register() throws IOException {
        var ca = Base64.getEncoder()
                .encodeToString(
                        Files.readAllBytes(kubernetes.webhookCertificates().resolve("ca.crt")));
        var kinds = GuardedKinds.BESIDE_JOB.stream().map(kind -> "kinds." + kind.name() + "=true");
        var rendered = Rendering.of(Stream.concat(kinds, Stream.of("jobs.exemptNamespaces={exempt}"))
                .toArray(String[]::new));
        for (var kind : List.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")) {
            var registration = rendered.object(kind);
            for (var webhook : registration.path("webhooks")) {
                var client = (ObjectNode) webhook.path("clientConfig");
                client.removeAll();
                client.put("url", "https://127.0.0.1:1/").put("caBundle", ca);
            }
            kubernetes.kubectl(create(Trees.yaml(registration))).orFail();
        }
        await("registrations in effect")
                .until(() ->
                        called(create(job("canary", ""), "--dry-run=server")).size() == 2);
    }

    private void row(String request, String... kubectl) {
        rows.add(new Row(request, called(kubectl)));
    }

    /** Sends a request and tells which webhooks the API server wanted to ask about it. */
    private List<String> called(String... kubectl) {
        // a time that no other request has: it is in the URI, by which the log is searched
        var timeout = "60.%03d1s".formatted(++requests);
        var command = new ArrayList<>(List.of(kubectl));
        command.add("--request-timeout=" + timeout);
        if (command.stream().noneMatch(word -> word.startsWith("--namespace="))) {
            command.add("--namespace=shop");
        }
        // some are refused: plain Kubernetes answers here
        var answer = kubernetes.kubectl(command.toArray(String[]::new));
        var event = await("in the audit log: %s, %s".formatted(command, answer.err()))
                .until(() -> write("timeout=1m0." + timeout.substring(3)), Optional::isPresent);
        return event.orElseThrow()
                .path("annotations")
                .propertyStream()
                .filter(annotation -> annotation.getKey().startsWith("failed-open."))
                .map(annotation -> annotation.getValue().asText().replace(".gitops-interlock.dev", ""))
                .toList();
    }

    private Optional<JsonNode> write(String marker) throws IOException {
        try (var lines = Files.lines(kubernetes.auditLog())) {
            return lines.filter(line -> line.contains(marker))
                    .filter(line -> WRITE.matcher(line).find())
                    .map(line -> Trees.json(line.getBytes(UTF_8)))
                    .findFirst();
        }
    }

    private String[] create(String manifest, String... flags) {
        return command(List.of("create", "-f", kubernetes.file(manifest)), flags);
    }

    private String[] apply(String manifest) {
        return command(List.of("apply", "--server-side", "--force-conflicts", "-f", kubernetes.file(manifest)));
    }

    private static String[] patch(String object, String change, String... flags) {
        return command(List.of("patch", object, "--type=merge", "-p", change.replace('\'', '"')), flags);
    }

    private static String[] annotateNode(String key) {
        return command(List.of("annotate", "--overwrite", "node/worker-0", key + "=" + SERIAL.incrementAndGet()));
    }

    private static String[] as(String user, String... kubectl) {
        return command(List.of(kubectl), "--as=" + user, "--as-group=system:masters");
    }

    private static String[] command(List<String> words, String... more) {
        return Stream.concat(words.stream(), Arrays.stream(more)).toArray(String[]::new);
    }

    private static String job(String name, String metadata) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                  %s
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers:
                        - name: main
                          image: one
                """.formatted(name, metadata);
    }

    private static String machineConfig(String name) {
        return """
                apiVersion: machineconfiguration.openshift.io/v1
                kind: MachineConfig
                metadata: {name: %s}
                spec: {config: {ignition: {version: 3.4.0}}}
                """.formatted(name);
    }

    /** Requests one after the other that are sent to the same webhooks share a line. */
    private String page() {
        var lines = new ArrayList<Map.Entry<String, String>>();
        for (var row : rows) {
            var isAsBefore = !lines.isEmpty() && lines.getLast().getValue().equals(cells(row));
            var before = isAsBefore ? lines.removeLast().getKey() + "; " : "";
            lines.add(Map.entry(before + row.request(), cells(row)));
        }
        return HEADER
                + lines.stream()
                        .map(line -> "| %s | %s |\n".formatted(line.getKey(), line.getValue()))
                        .collect(joining());
    }

    private static String cells(Row row) {
        var kinds = row.called().stream().anyMatch(webhook -> !WEBHOOKS.contains(webhook));
        return Stream.concat(WEBHOOKS.stream().map(row.called()::contains), Stream.of(kinds))
                .map(isCalled -> isCalled ? "yes" : "")
                .collect(joining(" | "));
    }
}
