package dev.gitopsinterlock.system.install;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.HOURS;
import static java.time.temporal.ChronoUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cli.Interlock;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.service.Certificates;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * One installation, broken in one way after the other: doctor names that fault and no other. What each test breaks it also
 * mends, and the next fault stands alone only where that was so. What the API server counts is looked at in the end alone,
 * because it remembers every fault before.
 */
@OnNode
@RequiresTools(definitions = {"argocd", "openshift"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class InstallDoctorToolsIT {

    private static final String MUTATING = "mutatingwebhookconfiguration/zz-" + Release.NAME;
    private static final String VALIDATING = "validatingwebhookconfiguration/" + Release.NAME;
    private static final String TOKEN = dev.gitopsinterlock.testing.service.Interlock.TOKEN;
    private static final String FAIL_OPEN = "fail-open";

    private final Platform platform;
    private final Workspace shop;
    private final Release release;

    InstallDoctorToolsIT(Platform platform, @TempDir Path home) {
        this.platform = platform;
        shop = Workspace.in(platform.kubernetes(), "shop");
        release = platform.release(home);
    }

    @BeforeAll
    void install() {
        release.helm(
                        Helm.HELM_4,
                        "install",
                        "--wait",
                        "--timeout",
                        "5m",
                        "--set",
                        "replacement.enabled=true,callerToken=" + TOKEN)
                .orFail();
        release.awaitTrusted();
        shop.kubectl("create", "job", "one", "--image=registry.example/migrate:1.0")
                .orFail();
    }

    @AfterAll
    void end() {
        release.close();
    }

    @Test
    @Order(0)
    void allIsWell() {
        awaitProblems();
        assertThat(doctor("--skip", FAIL_OPEN))
                .contains("14 checks: 14 well, 0 wrong, 0 not checked")
                .doesNotContain(TOKEN);
    }

    @Test
    @Order(1)
    void aConfigurationIsRemoved() {
        for (var configuration : List.of(MUTATING, VALIDATING)) {
            var before = json(configuration);
            release.kubectl("delete", configuration).orFail();
            awaitProblems("configurations");
            create(before);
        }
    }

    @Test
    @Order(2)
    void anotherWebhookComesLater() {
        release.kubectl("create", "-f", platform.kubernetes().file("""
                        apiVersion: admissionregistration.k8s.io/v1
                        kind: MutatingWebhookConfiguration
                        metadata: {name: zzz-later}
                        webhooks:
                          - name: later.example.com
                            admissionReviewVersions: [v1]
                            sideEffects: None
                            failurePolicy: Ignore
                            clientConfig: {url: "https://127.0.0.1:1/"}
                            namespaceSelector: {matchLabels: {nobody: has-this}}
                            rules: [{apiGroups: [batch], apiVersions: [v1], resources: [jobs], operations: [UPDATE]}]
                        """)).orFail();
        awaitProblems("order");
        release.kubectl("delete", "mutatingwebhookconfiguration", "zzz-later").orFail();
    }

    @Test
    @Order(3)
    void theServiceIsGoneOrSelectsNobody() {
        var before = json("service/" + Release.NAME);
        release.kubectl("delete", "service", Release.NAME).orFail();
        awaitProblems("configurations");
        // another address: nothing may hold on to the old one
        ((ObjectNode) before.path("spec")).remove(List.of("clusterIP", "clusterIPs"));
        create(before);
        awaitProblems();

        patch("service", Release.NAME, "{'spec': {'selector': {'nobody': 'has-this'}}}");
        awaitProblems("replicas");
        patch("service", Release.NAME, "{'spec': {'selector': {'nobody': null}}}");
    }

    @Test
    @Order(4)
    void thereIsNoBudget() {
        var before = json("poddisruptionbudget/" + Release.NAME);
        release.kubectl("delete", "poddisruptionbudget", Release.NAME).orFail();
        awaitProblems("budget");
        create(before);
    }

    @Test
    @Order(5)
    void aRightIsMissing() {
        var before = json("clusterrole/" + Release.NAME);
        var without = before.deepCopy();
        ((ArrayNode) without.path("rules")).remove(0);
        replace(without);
        awaitProblems("rights");
        assertThat(doctor("--only", "rights"))
                .contains("its account may not list namespaces, watch namespaces, which its settings need");
        replace(before);
    }

    @Test
    @Order(6)
    void theTokenDiffers() {
        token("an0th3rt0k3nth4nb3f0re");
        awaitProblems("token");
        token(TOKEN);
    }

    @Test
    @Order(7)
    void theConfigurationIsOfAnotherVersion() {
        var version =
                json(MUTATING).at("/metadata/labels/app.kubernetes.io~1version").asText();
        label(MUTATING, "0.0.1");
        awaitProblems("versions");
        label(MUTATING, version);
    }

    /** Where there are no MachineConfigs, nothing is held, whoever syncs. */
    @Test
    @Order(8)
    void anApplicationDoesNotCount() {
        var elsewhere = Applications.in(platform.kubernetes(), "team-a");
        elsewhere.create("cart");
        platform.kubernetes().addDefinitionsOf("openshift");
        awaitProblems("applications");
        assertThat(doctor("--only", "applications")).contains("syncs of team-a/cart");
        platform.kubernetes()
                .kubectl("-n", "team-a", "delete", "applications.argoproj.io", "cart")
                .orFail();
    }

    @Test
    @Order(9)
    void theIssuerIsNotReady() {
        issuedBy("nothing");
        awaitProblems("cert-manager");
        issuedBy(Release.NAME + "-ca");
    }

    @Test
    @Order(10)
    void aPodIsNotReadyOrNotWanted() {
        scale(0);
        awaitProblems("replicas");
        scale(1);
        await("one Pod, which answers")
                .atMost(Patience.LIMIT)
                .until(
                        () -> doctor("--only", "replicas,canary"),
                        words -> words.contains("one Pod only") && words.contains("got the words of"));
        awaitProblems("replicas");
        scale(2);
        awaitProblems();
    }

    /** Nobody writes bundles and certificates but this. */
    @Test
    @Order(11)
    void certificatesAreNotWhatTheyShouldBe() {
        platform.certManager().stopInjector();
        platform.certManager().stopController();
        try {
            var before = List.of(json(MUTATING), json(VALIDATING));
            var authority = Certificates.ec();
            var trusted = Certificates.authority(authority);

            release.replaceTrust(base64(Certificates.authority(Certificates.ec())));
            awaitProblems("trust");
            release.replaceTrust("");
            awaitProblems("trust");
            before.forEach(this::replace);
            awaitProblems();

            release.replaceTrust(base64(trusted));
            serve(authority, Instant.now().plus(4, MINUTES));
            awaitProblems("expiry");
            await("Pods that serve it")
                    .atMost(Patience.LIMIT)
                    .untilAsserted(() -> assertThat(doctor("--only", "expiry,canary"))
                            .contains("expires at")
                            .contains("got the words of"));
            serve(authority, Instant.now().minus(1, MINUTES));
            awaitProblems("expiry");
            assertThat(doctor("--only", "expiry")).contains("expired at");

            before.forEach(this::replace);
            release.kubectl("delete", "secret", Release.NAME + "-tls").orFail();
        } finally {
            platform.certManager().startController();
            platform.certManager().startInjector();
        }
        await("another Secret")
                .atMost(Patience.LIMIT)
                .until(() ->
                        release.kubectl("get", "secret", Release.NAME + "-tls").exitCode() == 0);
        release.awaitTrusted();
        awaitProblems();
    }

    /** Under failurePolicy Ignore nobody else would say so: the API still calls the Pods ready. */
    @Test
    @Order(12)
    void thePodsDieUnseen() {
        release.losePower();
        awaitProblems("canary");
        release.regainPower();
        release.kubectl("delete", "pods", "-l", "app.kubernetes.io/name=gitops-interlock")
                .orFail();
        awaitProblems();
        // the share that is a problem depends on how often we asked since
        assertThat(doctor("--only", FAIL_OPEN)).containsPattern(" [1-9]\\d* of \\d+ questions had no answer");
    }

    private void awaitProblems(String... checks) {
        await("wrong: " + Arrays.toString(checks))
                .atMost(Patience.LIMIT)
                .pollInterval(Duration.ofSeconds(1)) // each look starts kubectl many times
                .untilAsserted(
                        () -> assertThat(problems("--skip", FAIL_OPEN)).isEqualTo(new TreeSet<>(List.of(checks))));
    }

    private Set<String> problems(String... arguments) {
        var all = new ArrayList<>(List.of("-o", "json"));
        all.addAll(List.of(arguments));
        var problems = new TreeSet<String>();
        for (var check :
                Trees.json(doctor(all.toArray(String[]::new)).getBytes(UTF_8)).path("checks")) {
            if (check.path("verdict").asText().equals("problem")) {
                problems.add(check.path("check").asText());
            }
        }
        return problems;
    }

    private String doctor(String... arguments) {
        var all = new ArrayList<>(List.of(
                "doctor",
                "--kubectl",
                platform.kubernetes().kubectlProgram().toString(),
                "--kubeconfig",
                platform.kubernetes().adminKubeconfig().toString()));
        all.addAll(List.of(arguments));
        var out = new StringWriter();
        Interlock.commandLine().setOut(new PrintWriter(out, true)).execute(all.toArray(String[]::new));
        return out.toString();
    }

    private void token(String token) {
        patch("secret", Release.NAME + "-caller-token", "{'stringData': {'token': '%s'}}".formatted(token));
    }

    private void issuedBy(String secret) {
        patch("issuer", Release.NAME + "-ca", "{'spec': {'ca': {'secretName': '%s'}}}".formatted(secret));
    }

    private void patch(String kind, String name, String change) {
        release.kubectl("patch", kind, name, "--type=merge", "-p", change.replace('\'', '"'))
                .orFail();
    }

    private void label(String object, String version) {
        release.kubectl("label", "--overwrite", object, "app.kubernetes.io/version=" + version)
                .orFail();
    }

    private void scale(int replicas) {
        release.kubectl("scale", "deployment/" + Release.NAME, "--replicas=" + replicas)
                .orFail();
    }

    private JsonNode json(String object) {
        var tree = Trees.json(
                release.kubectl("get", object, "-o", "json").orFail().out().getBytes(UTF_8));
        ((ObjectNode) tree.path("metadata")).remove(List.of("resourceVersion", "uid", "creationTimestamp"));
        return tree;
    }

    private void create(JsonNode object) {
        release.kubectl("create", "-f", platform.kubernetes().file(object.toString()))
                .orFail();
    }

    private void replace(JsonNode object) {
        release.kubectl("replace", "-f", platform.kubernetes().file(object.toString()))
                .orFail();
    }

    private static String base64(X509Certificate certificate) {
        return Base64.getEncoder().encodeToString(Certificates.pem(certificate).getBytes(US_ASCII));
    }

    /** Has the Pods serve a certificate for the Service, with that end. */
    private void serve(KeyPair authority, Instant end) {
        var keys = Certificates.ec();
        var host = "%s.%s.svc".formatted(Release.NAME, release.namespace());
        var leaf = Certificates.serving(keys, authority, end.minus(1, HOURS), end, host);
        release.replaceSecret("tls", Certificates.pem(leaf), Certificates.pkcs8Pem(keys.getPrivate()));
    }
}
