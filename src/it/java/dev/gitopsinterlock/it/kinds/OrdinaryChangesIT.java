package dev.gitopsinterlock.it.kinds;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.summingDouble;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.cluster.Cluster;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How often the API server asks us, as its audit log and its metrics say: never about a rollout. It is one that no other
 * test sends anything to. {@code ordinary.changes} is how many changes of each sort are made.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OrdinaryChangesIT {

    private static final int CHANGES = Integer.getInteger("ordinary.changes", 20);
    private static final int COUNTED = 5;
    private static final String NAMESPACE = "shop";

    private static final List<Pattern> CALLS = List.of(
            Pattern.compile("(?m)^apiserver_admission_webhook_request_total\\{(.*)\\} (\\S+)$"),
            Pattern.compile("(?m)^apiserver_admission_webhook_admission_duration_seconds_count\\{(.*)\\} (\\S+)$"));
    private static final Pattern LEFT_OUT =
            Pattern.compile("(?m)^apiserver_admission_match_condition_exclusions_total\\{(.*)\\} (\\S+)$");
    private static final Pattern SECONDS =
            Pattern.compile("(?m)^apiserver_admission_match_condition_evaluation_seconds_sum\\{(.*)\\} (\\S+)$");
    private static final Pattern OURS = Pattern.compile("name=\"([a-z-]+)\\.gitops-interlock\\.dev\"");

    private final Cluster cluster = Cluster.start();
    private final KubernetesClient client = cluster.controlPlane().admin();

    /** A change that a rollout or a person makes, or that Kubernetes refuses; %s is different each time. */
    enum Change {
        IMAGE_OF_A_DEPLOYMENT(
                "deployment",
                "{'spec': {'template': {'spec': {'containers': [{'name': 'main', 'image': 'app:%s'}]}}}}"),
        REPLICAS_OF_A_DEPLOYMENT("deployment", "{'spec': {'replicas': %s}}"),
        IMAGE_OF_A_STATEFUL_SET(
                "statefulset",
                "{'spec': {'template': {'spec': {'containers': [{'name': 'main', 'image': 'app:%s'}]}}}}"),
        LABEL_OF_A_JOB("job", "{'metadata': {'labels': {'change': 'c%s'}}}"),
        ANNOTATION_OF_A_JOB("job", "{'metadata': {'annotations': {'change': 'c%s'}}}"),
        STATUS_OF_A_JOB("job", "{'status': {'active': %s}}"),
        SELECTOR_OF_A_DEPLOYMENT("deployment", "{'spec': {'selector': {'matchLabels': {'change': 'c%s'}}}}"),
        NAME_OF_A_STATEFUL_SETS_SERVICE("statefulset", "{'spec': {'serviceName': 's%s'}}"),
        IMAGE_OF_A_JOB(
                "job", "{'spec': {'template': {'spec': {'containers': [{'name': 'main', 'image': 'app:%s'}]}}}}");

        private final String kind;
        private final String patch;

        Change(String kind, String patch) {
            this.kind = kind;
            this.patch = patch.replace('\'', '"');
        }

        String webhook() {
            return kind + "s";
        }
    }

    @BeforeAll
    void makeObjects() {
        cluster.controlPlane().createNamespace(NAMESPACE);
        var pod = """
                metadata: {labels: {app: web}}
                    spec: {restartPolicy: %s, containers: [{name: main, image: "app:0"}]}""";
        cluster.controlPlane()
                .kubectl("-n", NAMESPACE, "create", "-f", cluster.controlPlane().file("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: web}}
                  template:
                    %s
                ---
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: web}
                spec:
                  replicas: 0
                  selector: {matchLabels: {app: web}}
                  template:
                    %s
                ---
                apiVersion: batch/v1
                kind: Job
                metadata: {name: web}
                spec:
                  suspend: true
                  template:
                    %s
                """.formatted(
                                pod.formatted("Always"), pod.formatted("Always"), pod.formatted("Never"))))
                .orFail();
    }

    @AfterAll
    void end() {
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "IMAGE_OF_A_DEPLOYMENT",
                "REPLICAS_OF_A_DEPLOYMENT",
                "IMAGE_OF_A_STATEFUL_SET",
                "LABEL_OF_A_JOB",
                "ANNOTATION_OF_A_JOB",
                "STATUS_OF_A_JOB"
            })
    void ordinaryChangesCostNoCall(Change change) {
        var calls = calls();
        var leftOut = ours(LEFT_OUT).getOrDefault(change.webhook(), 0.0);
        var seconds = ours(SECONDS).getOrDefault(change.webhook(), 0.0);

        IntStream.rangeClosed(1, CHANGES).forEach(number -> send(change, number));

        awaitInTheAuditLog(change, CHANGES);
        assertThat(asked(change)).isZero();
        assertThat(calls()).isEqualTo(calls);
        var conditions = ours(LEFT_OUT).getOrDefault(change.webhook(), 0.0) - leftOut;
        if (change == Change.STATUS_OF_A_JOB) {
            assertThat(conditions).as("the rules leave it out").isZero();
        } else {
            // more often where the API server tries a change again, because the object was changed in between
            assertThat(conditions).as("left out by matchConditions").isGreaterThanOrEqualTo(CHANGES);
        }
        System.out.printf(
                "%s: %d changes, no call, conditions %.0f µs each%n",
                change,
                CHANGES,
                (ours(SECONDS).getOrDefault(change.webhook(), 0.0) - seconds) * 1e6 / Math.max(1, conditions));
    }

    /** Or the test above could not fail. */
    @ParameterizedTest
    @EnumSource(names = {"SELECTOR_OF_A_DEPLOYMENT", "NAME_OF_A_STATEFUL_SETS_SERVICE", "IMAGE_OF_A_JOB"})
    void changesOfFixedFieldsAreCalls(Change change) {
        var expected = calls();
        expected.forEach(metric -> metric.merge(change.webhook(), (double) COUNTED, Double::sum));

        IntStream.rangeClosed(1, COUNTED)
                .forEach(number -> assertThat(isAccepted(change, number)).isFalse());

        awaitInTheAuditLog(change, COUNTED);
        assertThat(asked(change)).isEqualTo(COUNTED);
        assertThat(calls()).isEqualTo(expected);
    }

    private boolean isAccepted(Change change, int number) {
        try {
            send(change, number);
            return true;
        } catch (KubernetesClientException e) {
            assertThat(e.getMessage()).contains(" was not changed, ");
            return false;
        }
    }

    /** The audit log has the URI, and so the field's manager. */
    private void send(Change change, int number) {
        var context = new PatchContext.Builder()
                .withPatchType(PatchType.STRATEGIC_MERGE)
                .withFieldManager(change.name())
                .build();
        var patch = change.patch.formatted(number);
        if (change == Change.STATUS_OF_A_JOB) {
            object(change).subresource("status").patch(context, patch);
        } else {
            object(change).patch(context, patch);
        }
    }

    private Resource<?> object(Change change) {
        return switch (change.kind) {
            case "deployment" ->
                client.apps().deployments().inNamespace(NAMESPACE).withName("web");
            case "statefulset" ->
                client.apps().statefulSets().inNamespace(NAMESPACE).withName("web");
            default -> client.batch().v1().jobs().inNamespace(NAMESPACE).withName("web");
        };
    }

    /** How often each of our webhooks was asked, by both metrics that count it. */
    private List<Map<String, Double>> calls() {
        return CALLS.stream().map(this::ours).toList();
    }

    /** A metric, by the name of the webhook. */
    private Map<String, Double> ours(Pattern metric) {
        return metric.matcher(client.raw("/metrics"))
                .results()
                .filter(line -> OURS.matcher(line.group(1)).find())
                .collect(groupingBy(
                        line -> name(line.group(1)),
                        TreeMap::new,
                        summingDouble(line -> Double.parseDouble(line.group(2)))));
    }

    private static String name(String labels) {
        return OURS.matcher(labels).results().findFirst().orElseThrow().group(1);
    }

    private void awaitInTheAuditLog(Change change, int number) {
        await("%d requests in the audit log".formatted(number))
                .untilAsserted(() -> assertThat(audited(change, "")).isEqualTo(number));
    }

    /** The API server notes each mutating webhook that it asks about a request. */
    private long asked(Change change) {
        return audited(change, "\"mutation.webhook.admission.k8s.io/round_");
    }

    private long audited(Change change, String words) {
        try (var lines = Files.lines(cluster.controlPlane().auditLog())) {
            return lines.filter(line -> line.contains("fieldManager=" + change.name()) && line.contains(words))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
