package dev.gitopsinterlock.tools.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.Chart;
import dev.gitopsinterlock.testing.client.Flux;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Refused edits of kinds other than StatefulSet, a few in each tool: people are told what to do where they look, and when it
 * is done, the change goes through.
 */
@ExtendWith(Cluster.Extension.class)
class KindsToolsIT {

    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 0
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web, tier: front}}
                spec:
                  containers: [{name: main, image: "registry.example/web:1"}]
            """;

    private static final String SETTINGS = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings}
            immutable: true
            data: {color: blue}
            """;

    private static final String BINDING = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: team}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit}
            subjects: [{kind: Group, name: team, apiGroup: rbac.authorization.k8s.io}]
            """;

    private static final String CLAIM = """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data}
            spec:
              accessModes: [ReadWriteOnce]
              storageClassName: fast
              resources: {requests: {storage: 1Gi}}
            """;

    private static final String CLASS = """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata: {name: NAME}
            provisioner: csi.example.com
            parameters: {type: ssd}
            """;

    private final Workspace shop;
    private final Path folder;

    KindsToolsIT(Cluster cluster, @TempDir Path folder) {
        shop = Workspace.in(cluster.controlPlane(), "kinds-of");
        this.folder = folder;
    }

    /** It also gives a binding another role by itself, so that nobody is told anything about that. */
    @Test
    @RequiresTools("argocd")
    @ExtendWith(ArgoCd.Extension.class)
    void argoCd(ArgoCd argoCd) {
        var git = GitRepository.in(folder);
        var app = argoCd.application(shop.namespace());
        var first = git.commit(Map.of("web.yaml", DEPLOYMENT, "settings.yaml", SETTINGS, "binding.yaml", BINDING));
        app.deploy(git, shop.namespace(), "{}");
        app.sync(first);
        app.awaitEnd(first, "Succeeded");

        var second = git.commit(Map.of("web.yaml", selected(), "settings.yaml", green(), "binding.yaml", viewing()));
        app.sync(second);
        app.awaitEnd(second, "Failed");

        assertThat(app.result("Deployment", "web").path("message").asText())
                .contains(
                        "deployments.gitops-interlock.dev",
                        "delete deployment web), then sync again: ",
                        ". SelectorEdit");
        assertThat(app.result("ConfigMap", "settings").path("message").asText())
                .contains(
                        "configmaps.gitops-interlock.dev",
                        "delete configmap settings), then sync again: ",
                        ". ImmutableDataEdit")
                .doesNotContain("blue", "green");

        assertThat(app.message()).doesNotContain("RoleRefEdit");
        assertThat(field("rolebinding/team", ".roleRef.name")).isEqualTo("view");

        shop.kubectl("delete", "deployment/web", "configmap/settings").orFail();
        app.sync(second);
        app.awaitEnd(second, "Succeeded");
        assertThat(field("deployment/web", ".spec.selector.matchLabels.tier")).isEqualTo("front");
        assertThat(field("configmap/settings", ".data.color")).isEqualTo("green");
        app.delete();
    }

    /** What was deleted comes back by itself; a claim gets into Git what it is in the cluster. */
    @Test
    @RequiresTools("flux")
    @ExtendWith(Flux.Extension.class)
    void flux(Flux flux) {
        var git = GitRepository.in(folder);
        var kustomization = flux.kustomization(shop.namespace());
        var first = git.commit(Map.of("binding.yaml", BINDING, "claim.yaml", CLAIM));
        kustomization.deploy(git, shop.namespace(), "{wait: false}");
        kustomization.awaitReady(first);

        var second = git.commit("binding.yaml", viewing());
        kustomization.publish(git);
        assertThat(kustomization.awaitFailed(second).message())
                .contains("delete rolebinding team), then reconcile the Kustomization again. ", ". RoleRefEdit");
        shop.kubectl("delete", "rolebinding", "team").orFail();
        kustomization.awaitReady(second);
        assertThat(field("rolebinding/team", ".roleRef.name")).isEqualTo("view");

        var third = git.commit("claim.yaml", CLAIM.replace("fast", "slow"));
        kustomization.publish(git);
        assertThat(kustomization.awaitFailed(third).message())
                .contains("Write into the manifest what the claim has in the cluster", ". PersistentVolumeClaimEdit");
        var fourth = git.commit("claim.yaml", CLAIM);
        kustomization.publish(git);
        kustomization.awaitReady(fourth);
        kustomization.delete();
    }

    @ParameterizedTest
    @EnumSource
    void helm(Helm helm) {
        var storage = CLASS.replace("NAME", shop.namespace());
        var chart = new Chart(folder.resolve("chart"));
        chart.write("Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
        chart.write("templates/class.yaml", storage);
        chart.write("templates/web.yaml", DEPLOYMENT);
        upgrade(helm, chart).orFail();

        chart.write("templates/class.yaml", storage.replace("ssd", "nvme"));
        assertRefused(
                upgrade(helm, chart),
                "delete storageclass %s), then upgrade again: ".formatted(shop.namespace()),
                "StorageClassEdit");
        shop.kubectl("delete", "storageclass", shop.namespace()).orFail();
        upgrade(helm, chart).orFail();
        assertThat(field("storageclass/" + shop.namespace(), ".parameters.type"))
                .isEqualTo("nvme");

        chart.write("templates/web.yaml", selected());
        assertRefused(upgrade(helm, chart), "delete deployment web), then upgrade again: ", "SelectorEdit");
        shop.kubectl("delete", "deployment", "web").orFail();
        upgrade(helm, chart).orFail();
        assertThat(field("deployment/web", ".spec.selector.matchLabels.tier")).isEqualTo("front");
        shop.kubectl("delete", "storageclass", shop.namespace()).orFail();
    }

    /** A PUT takes away what the cluster filled in, and a patch does not. */
    @ParameterizedTest
    @EnumSource
    void helmForcesAClaim(Helm helm) {
        var force = helm == Helm.HELM_3
                ? new String[] {"--force"}
                : new String[] {"--force-replace", "--server-side=false"};
        var chart = new Chart(folder.resolve("chart"));
        chart.write("Chart.yaml", "apiVersion: v2\nname: shop\nversion: 1.0.0\n");
        chart.write("templates/claim.yaml", CLAIM);
        upgrade(helm, chart).orFail();
        shop.kubectl("patch", "pvc", "data", "-p", "{\"spec\":{\"volumeName\":\"pv-1\"}}")
                .orFail();

        chart.write("templates/claim.yaml", CLAIM.replace("name: data", "name: data, labels: {tier: back}"));
        assertRefused(upgrade(helm, chart, force), "Leave out --force", "HelmForceEdit");

        upgrade(helm, chart).orFail();
        assertThat(field("pvc/data", ".metadata.labels.tier")).isEqualTo("back");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--server-side=false", "--server-side=true"})
    void kubectlGivesABindingAnotherRole(String how) {
        apply(how, BINDING).orFail();
        assertRefused(
                apply(how, viewing()),
                "kubectl auth reconcile -f FILE does both at once; a RoleBinding in FILE has to name its Namespace",
                "RoleRefEdit");
        assertThat(reconcile(viewing()).exitCode()).as("kubectl crashes").isNotZero();
        reconcile(viewing()
                        .replace(
                                "name: team}\nroleRef",
                                "name: team, namespace: %s}\nroleRef".formatted(shop.namespace())))
                .orFail();
        apply(how, viewing()).orFail();
        assertThat(field("rolebinding/team", ".roleRef.name")).isEqualTo("view");
    }

    /** A PUT takes away what the cluster filled in. */
    @Test
    void kubectlReplacesAClaim() {
        shop.apply(CLAIM);
        shop.kubectl("patch", "pvc", "data", "-p", "{\"spec\":{\"volumeName\":\"pv-1\"}}")
                .orFail();

        assertRefused(
                replace(CLAIM),
                "Write into the manifest what the claim has in the cluster",
                "PersistentVolumeClaimEdit");

        replace(CLAIM.replace("storageClassName: fast", "storageClassName: fast\n  volumeName: pv-1"))
                .orFail();
    }

    /** Whoever deletes first gets back the old one. */
    @Test
    @RequiresTools("argocd")
    @ExtendWith(ArgoCd.Extension.class)
    void aPersonOnWhatArgoCdHeals(ArgoCd argoCd) {
        var git = GitRepository.in(folder);
        var app = argoCd.application(shop.namespace());
        var first = git.commit("web.yaml", DEPLOYMENT);
        app.deploy(git, shop.namespace(), "{automated: {selfHeal: true}}");
        app.awaitEnd(first, "Succeeded");

        assertRefused(
                shop.kubectl(
                        "patch",
                        "deployment",
                        "web",
                        "-p",
                        "{\"spec\":{\"selector\":{\"matchLabels\":{\"tier\":\"front\"}}}}"),
                "First make the change in what Argo CD applies: otherwise this Deployment comes back as it was. Give the Deployment another name",
                "SelectorEdit");

        var second = git.commit("web.yaml", selected());
        app.refresh();
        app.await(
                "told what to do",
                live -> live.at("/status/operationState/message").asText().contains("SelectorEdit"));
        shop.kubectl("delete", "deployment", "web").orFail();
        app.awaitEnd(second, "Succeeded");
        assertThat(field("deployment/web", ".spec.selector.matchLabels.tier")).isEqualTo("front");
        app.delete();
    }

    private static void assertRefused(Command.Result result, String advice, String code) {
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.err()).contains(advice, code);
    }

    private Command.Result apply(String how, String manifest) {
        return shop.kubectl("apply", how, "-f", shop.file(manifest));
    }

    private Command.Result reconcile(String manifest) {
        return shop.kubectl("auth", "reconcile", "-f", shop.file(manifest));
    }

    private Command.Result replace(String manifest) {
        return shop.kubectl("replace", "-f", shop.file(manifest));
    }

    private Command.Result upgrade(Helm helm, Chart chart, String... options) {
        return helm.run(
                shop,
                folder,
                Stream.concat(
                                Stream.of(
                                        "upgrade",
                                        "--install",
                                        "shop",
                                        chart.folder().toString()),
                                Stream.of(options))
                        .toArray(String[]::new));
    }

    private static String selected() {
        return DEPLOYMENT.replace("matchLabels: {app: web}", "matchLabels: {app: web, tier: front}");
    }

    private static String green() {
        return SETTINGS.replace("blue", "green");
    }

    private static String viewing() {
        return BINDING.replace("name: edit", "name: view");
    }

    private String field(String object, String path) {
        return shop.kubectl("get", object, "-o", "jsonpath={" + path + "}")
                .orFail()
                .out();
    }
}
