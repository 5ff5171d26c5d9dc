package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What the real API server lets the service's account do, for each feature that is off: the golden has a line for each
 * resource of which anything is allowed, in any Namespace. {@code -Dgolden.update=true} writes it anew.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChartRightsToolsIT {

    private static final List<String> VERBS = List.of(
            "get",
            "list",
            "watch",
            "create",
            "update",
            "patch",
            "delete",
            "deletecollection",
            "impersonate",
            "impersonate:user-info",
            "impersonate:serviceaccount",
            "impersonate:arbitrary-node",
            "impersonate-on:user-info:create",
            "impersonate-on:user-info:delete",
            "impersonate-on:user-info:patch",
            "impersonate-on:serviceaccount:create",
            "impersonate-on:serviceaccount:delete",
            "impersonate-on:serviceaccount:patch",
            "bind",
            "escalate",
            "*");

    /** Everything that any feature needs, and what an account like this must never have. */
    private static final List<String> RESOURCES = List.of(
            "/namespaces",
            "/nodes",
            "/nodes/status",
            "/pods",
            "/pods/exec",
            "/secrets",
            "/configmaps",
            "/services",
            "/serviceaccounts",
            "/serviceaccounts/token",
            "/users",
            "/events",
            "events.k8s.io/events",
            "batch/jobs",
            "batch/jobs/status",
            "batch/cronjobs",
            "apps/deployments",
            "authentication.k8s.io/users",
            "authentication.k8s.io/groups",
            "authentication.k8s.io/uids",
            "authentication.k8s.io/userextras/any.example/key",
            "authentication.k8s.io/serviceaccounts",
            "authorization.k8s.io/subjectaccessreviews",
            "rbac.authorization.k8s.io/clusterroles",
            "rbac.authorization.k8s.io/clusterrolebindings",
            "admissionregistration.k8s.io/mutatingwebhookconfigurations",
            "admissionregistration.k8s.io/validatingwebhookconfigurations",
            "coordination.k8s.io/leases",
            "argoproj.io/applications",
            "argoproj.io/appprojects",
            "machineconfiguration.openshift.io/machineconfigs",
            "machineconfiguration.openshift.io/machineconfigpools",
            "config.openshift.io/clusterversions",
            "*/*");

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
        assertThat(text).doesNotContain("secrets", "*");
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
        var config = Config.empty();
        config.setMasterUrl(kubernetes.server());
        config.setCaCertFile(kubernetes.caFile().toString());
        config.setOauthToken(kubernetes.token(Rendering.NAME, name));
        config.setRequestTimeout((int) Patience.LIMIT.toMillis());
        try (var account = new KubernetesClientBuilder().withConfig(config).build()) {
            awaitRights(account, name);
            return RESOURCES.stream()
                    .flatMap(resource -> line(account, resource))
                    .collect(joining());
        }
    }

    /** The API server learns of roles and bindings in their order: when it knows these, it knows the chart's. */
    private void awaitRights(KubernetesClient account, String name) {
        var canary = name + "-canary";
        kubernetes
                .kubectl("create", "clusterrole", canary, "--verb=get", "--resource=componentstatuses")
                .orFail();
        kubernetes
                .kubectl(
                        "create",
                        "clusterrolebinding",
                        canary,
                        "--clusterrole=" + canary,
                        "--serviceaccount=" + Rendering.NAME + ":" + name)
                .orFail();
        await("rights of " + name).until(() -> isAllowed(account, "get", "/componentstatuses"));
    }

    private static Stream<String> line(KubernetesClient account, String resource) {
        var verbs = VERBS.stream()
                .filter(verb -> isAllowed(account, verb, resource))
                .toList();
        return verbs.isEmpty()
                ? Stream.empty()
                : Stream.of("  %s: %s\n".formatted(resource.replaceFirst("^/", ""), String.join(" ", verbs)));
    }

    private static boolean isAllowed(KubernetesClient account, String verb, String resource) {
        var parts = List.of(resource.split("/", 3));
        var attributes = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(parts.get(0))
                .withResource(parts.get(1))
                .withSubresource(parts.size() > 2 ? parts.get(2) : "")
                .endResourceAttributes()
                .endSpec()
                .build();
        return account.authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(attributes)
                .getStatus()
                .getAllowed();
    }
}
