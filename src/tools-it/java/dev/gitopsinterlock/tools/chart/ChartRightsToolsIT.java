package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.flatMapping;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What the real API server says that the service's account may do in every Namespace, for each feature that is off: the
 * golden has a line for each resource. {@code -Dgolden.update=true} writes it anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChartRightsToolsIT {

    /** What every account of a service may do. */
    private static final Pattern ANYBODYS = Pattern.compile("/selfsubject|/clustertrustbundles$");

    private static final String CANARY = "componentstatuses";

    private static final List<String> REPLACING =
            List.of("replacement.enabled=true", "machineConfigs.enabled=false", "callerToken=" + "a".repeat(20));

    private final AtomicInteger accounts = new AtomicInteger();
    private final ControlPlane kubernetes = ControlPlane.start();

    @AfterAll
    void end() {
        kubernetes.close();
    }

    private static Map<String, List<String>> installs() {
        var installs = new LinkedHashMap<String, List<String>>();
        installs.put("the defaults", List.of());
        for (var off : List.of(
                "jobs.enabled",
                "jobs.allowOverrides",
                "jobs.advice.enabled",
                "machineConfigs.enabled",
                "machineConfigs.advice.enabled")) {
            installs.put("without " + off, List.of(off + "=false"));
        }
        installs.put(
                "words and nothing else",
                List.of("jobs.allowOverrides=false", "jobs.advice.enabled=false", "machineConfigs.enabled=false"));
        installs.put(
                "waiting between the steps of progressive syncs",
                List.of("machineConfigs.holdForApplicationSets=true"));
        installs.put(
                "source Namespaces without jobs.allowOverrides",
                List.of("argoCd.sourceNamespaces=true", "jobs.allowOverrides=false"));
        installs.put(
                "InPlace NodePools that wait",
                List.of("inPlaceNodePools.enabled=true", "jobs.enabled=false", "callerToken=" + "a".repeat(20)));
        installs.put(
                "a hub and nothing else",
                List.of("hub.enabled=true", "jobs.enabled=false", "machineConfigs.enabled=false"));
        installs.put("carried out as the requester", REPLACING);
        installs.put("carried out as the service account", with(REPLACING, "replacement.as=ServiceAccount"));
        installs.put("carried out in another Namespace", with(REPLACING, "replacement.namespaces={default}"));
        return installs;
    }

    private static List<String> with(List<String> values, String value) {
        return Stream.concat(values.stream(), Stream.of(value)).toList();
    }

    @Test
    void theAccountMayDoWhatIsOnAndNothingElse() {
        var golden = Project.directory().resolve("src/test/resources/chart/rights.txt");
        var rights = new ArrayList<String>();
        for (var install : installs().entrySet()) {
            rights.add(install.getKey() + "\n" + rights(install.getValue()));
        }
        var text = String.join("\n", rights);

        GoldenFiles.compare(golden, text, "make chart GOLDEN=true");
        // beyond its own Namespace, where replacements are kept while they last
        assertThat(text).doesNotContain("secrets").doesNotContainPattern("(?<!authentication.k8s.io/)\\*");
    }

    /** By a RoleBinding in it. */
    @Test
    void theAccountMayReadTheNamespacesInWhichEditsTakeEffect() {
        rights(Stream.concat(
                        REPLACING.stream(),
                        Stream.of(
                                "jobs.allowOverrides=false",
                                "jobs.onImmutableChange=Replace",
                                "replacement.namespaces={default}"))
                .toList());
        var account = "--as=system:serviceaccount:" + Rendering.NAME + ":install-" + accounts.get();

        kubernetes.kubectl("get", "namespace", "default", account).orFail();
        assertThat(kubernetes
                        .kubectl("get", "namespace", "kube-system", account)
                        .err())
                .contains("Forbidden");
    }

    /** By a Role in each; every cluster has Leases of its Nodes. */
    @Test
    void theAccountMayReadLeasesInTheirNamespacesAlone() {
        rights(List.of("machineConfigs.leaseNamespaces={default}"));
        var account = "--as=system:serviceaccount:" + Rendering.NAME + ":install-" + accounts.get();

        kubernetes.kubectl("get", "leases", "-n", "default", account).orFail();
        for (var other : List.of("kube-node-lease", Rendering.NAME)) {
            assertThat(kubernetes.kubectl("get", "leases", "-n", other, account).err())
                    .contains("Forbidden");
        }
        assertThat(kubernetes
                        .kubectl("delete", "lease", "any", "-n", "default", account)
                        .err())
                .contains("Forbidden");

        rights(List.of("machineConfigs.leaseNamespaces={default}", "machineConfigs.enabled=false"));
        var withoutTheGate = "--as=system:serviceaccount:" + Rendering.NAME + ":install-" + accounts.get();
        assertThat(kubernetes
                        .kubectl("get", "leases", "-n", "default", withoutTheGate)
                        .err())
                .contains("Forbidden");
    }

    /** Of an account that has nothing but what the chart gives it. */
    private String rights(List<String> values) {
        var name = "install-" + accounts.incrementAndGet();
        var rendered = Rendering.by(
                Helm.HELM_4,
                Stream.concat(Stream.of("fullnameOverride=" + name), values.stream())
                        .toList());
        kubernetes.createNamespace(Rendering.NAME);
        for (var right : rendered.rights()) {
            kubernetes
                    .kubectl("create", "-f", kubernetes.file(Trees.yaml(right)))
                    .orFail();
        }
        return awaitRules(name).stream()
                .flatMap(rule -> resources(rule).map(resource -> Map.entry(resource, texts(rule, "verbs"))))
                .filter(right -> !ANYBODYS.matcher(right.getKey()).find()
                        && !right.getKey().equals(CANARY))
                .collect(groupingBy(
                        Map.Entry::getKey,
                        TreeMap::new,
                        flatMapping(
                                Map.Entry::getValue,
                                collectingAndThen(toCollection(TreeSet::new), verbs -> String.join(" ", verbs)))))
                .entrySet()
                .stream()
                .map(right -> "  %s: %s\n".formatted(right.getKey(), right.getValue()))
                .collect(joining());
    }

    /** The API server learns of roles and bindings in their order: when it knows these, it knows the chart's. */
    private List<JsonNode> awaitRules(String name) {
        var canary = name + "-canary";
        kubernetes
                .kubectl("create", "clusterrole", canary, "--verb=get", "--resource=" + CANARY)
                .orFail();
        kubernetes
                .kubectl(
                        "create",
                        "clusterrolebinding",
                        canary,
                        "--clusterrole=" + canary,
                        "--serviceaccount=" + Rendering.NAME + ":" + name)
                .orFail();
        return await("rights of " + name)
                .until(() -> rules(name), rules -> rules.toString().contains(CANARY));
    }

    /** What counts in every Namespace: this one has no RoleBinding. */
    private List<JsonNode> rules(String name) {
        var review = kubernetes.file("""
                apiVersion: authorization.k8s.io/v1
                kind: SelfSubjectRulesReview
                spec: {namespace: kube-node-lease}
                """);
        var answer = kubernetes.kubectl(
                "create",
                "--validate=false",
                "-f",
                review,
                "-o",
                "json",
                "--as=system:serviceaccount:" + Rendering.NAME + ":" + name);
        return Trees.json(answer.orFail().out())
                .at("/status/resourceRules")
                .valueStream()
                .toList();
    }

    /** By group and name, and by the objects' names where it counts for these alone. */
    private static Stream<String> resources(JsonNode rule) {
        var names = texts(rule, "resourceNames").collect(joining(" "));
        return texts(rule, "apiGroups")
                .flatMap(group -> texts(rule, "resources")
                        .map(resource -> (group + "/" + resource).replaceFirst("^/", "")
                                + (names.isEmpty() ? "" : " (" + names + ")")));
    }

    private static Stream<String> texts(JsonNode rule, String field) {
        return rule.path(field).valueStream().map(JsonNode::asText);
    }
}
