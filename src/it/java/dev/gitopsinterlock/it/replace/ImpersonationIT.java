package dev.gitopsinterlock.it.replace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gitopsinterlock.testing.bed.AuditLog;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An edit is carried out with the requester's rights and under the requester's policies, never with more. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImpersonationIT {

    private static final String ACCOUNT = "system:serviceaccount:gitops-interlock:gitops-interlock";

    private ControlPlane kubernetes;
    private Registration registration;
    private Interlock interlock;

    @BeforeAll
    void start() {
        kubernetes = ControlPlane.start();
        assumeTrue(kubernetes.impersonates(), () -> kubernetes.version() + " knows no constrained impersonation");
        registration = Registration.in(kubernetes);
        interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .start();
        registration.of(interlock);
        for (var user : List.of("carol", "dave")) {
            kubernetes
                    .kubectl("create", "clusterrolebinding", user, "--clusterrole=edit", "--user=" + user)
                    .orFail();
        }
    }

    @AfterAll
    void end() {
        if (interlock != null) {
            interlock.close();
        }
        kubernetes.close();
    }

    @Test
    void whatTheApiServerOffersIsFoundOutAndSaid() {
        await("found out").until(() -> interlock.log().contains("replacement is on, as the requester"));
        assertThat(interlock.get("/q/health/ready").body()).contains("on, as the requester (impersonation)");
        assertThat(interlock.metrics()).contains("gitops_interlock_replacement_identity{as=\"requester\"} 1.0");
    }

    /** Asked directly it may do nothing to a Job but look and touch. */
    @ParameterizedTest
    @CsvSource({"create, no", "delete, no", "update, no", "list, no", "get, yes", "patch, yes"})
    void ourOwnAccountMayNeitherMakeNorDeleteJobs(String verb, String answer) {
        assertThat(kubernetes
                        .kubectl("auth", "can-i", verb, "jobs", "-n", "default", "--as=" + ACCOUNT)
                        .out()
                        .strip())
                .isEqualTo(answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Replace", "GenerateName"})
    void aPolicyThatForbidsHostPathsToThisUserHolds(String policy) {
        var shop = workspace(policy);
        policy(
                "hostpath-" + shop.namespace(),
                shop,
                "CREATE",
                "request.userInfo.username == 'dave'"
                        + " || !has(object.spec.template.spec.volumes)"
                        + " || object.spec.template.spec.volumes.all(volume, !has(volume.hostPath))");
        await("policy in force")
                .until(() -> as(shop, "carol", "create", hosted("probe"), "--dry-run=server")
                        .err()
                        .contains("hostpath-"));
        var uid = shop.uid("db-migrate");

        var carols = as(shop, "carol", "apply", hosted("db-migrate"));

        assertThat(carols.exitCode()).isNotZero();
        assertThat(carols.err()).contains("NewJobRefused", "hostpath-" + shop.namespace());
        assertThat(shop.uids()).containsExactly(uid);
        assertThat(shop.job("db-migrate").toString()).doesNotContain("hostPath");

        as(shop, "dave", "apply", hosted("db-migrate")).orFail();
        assertThat(shop.uids()).isNotEqualTo(List.of(uid));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Replace", "GenerateName"})
    void aPolicyThatLetsOnlyOneUserMakeJobsHolds(String policy) {
        var shop = workspace(policy);
        policy("makers-" + shop.namespace(), shop, "CREATE", "request.userInfo.username == 'dave'");
        await("policy in force")
                .until(() -> as(shop, "carol", "create", named("probe"), "--dry-run=server")
                        .err()
                        .contains("makers-"));
        var uid = shop.uid("db-migrate");

        var carols = as(shop, "carol", "apply", Manifests.edited(Manifests.JOB));

        assertThat(carols.err()).contains("NewJobRefused", "makers-" + shop.namespace());
        assertThat(shop.uids()).containsExactly(uid);

        as(shop, "dave", "apply", Manifests.edited(Manifests.JOB)).orFail();
        assertThat(shop.uids()).isNotEqualTo(List.of(uid));
    }

    /** A dry run says so, too, before anything is tried for real. */
    @Test
    void aPolicyThatForbidsTheDeletionHolds() {
        var shop = workspace("Replace");
        policy("keep-" + shop.namespace(), shop, "DELETE", "request.userInfo.username == 'dave'");
        await("policy in force")
                .until(() -> shop.kubectl("delete", "job", "db-migrate", "--dry-run=server", "--as=carol")
                        .err()
                        .contains("keep-"));
        var uid = shop.uid("db-migrate");

        for (var flags : List.of(List.of("--dry-run=server"), List.<String>of())) {
            var carols = as(shop, "carol", "apply", Manifests.edited(Manifests.JOB), flags.toArray(String[]::new));

            assertThat(carols.err()).contains("NewJobRefused", "keep-" + shop.namespace());
            assertThat(shop.uids()).containsExactly(uid);
        }

        as(shop, "dave", "apply", Manifests.edited(Manifests.JOB)).orFail();
        assertThat(shop.uids()).isNotEqualTo(List.of(uid));
    }

    @Test
    void theAuditLogNamesTheRequesterAndUs() {
        var shop = workspace("Replace");

        as(shop, "carol", "apply", Manifests.edited(Manifests.JOB)).orFail();

        for (var verb : List.of("delete", "create")) {
            await("audit log")
                    .untilAsserted(() -> assertThat(audited(shop))
                            .anyMatch(line -> line.contains("\"verb\":\"" + verb + "\"")
                                    && line.contains("\"user\":{\"username\":\"" + ACCOUNT + "\"")
                                    && line.contains("\"impersonatedUser\":{\"username\":\"carol\"")
                                    && line.contains("\"code\":20")
                                    && !line.contains("dryRun=All")));
        }
    }

    private List<String> audited(Workspace shop) throws IOException {
        return Files.readAllLines(kubernetes.auditLog()).stream()
                .filter(line -> line.contains("\"namespace\":\"" + shop.namespace() + "\"")
                        && line.contains("\"resource\":\"jobs\""))
                .toList();
    }

    /** Its groups are those that Kubernetes gives every service account. */
    @Test
    void aServiceAccountIsImpersonatedByItsName() {
        var shop = workspace("Replace");
        var deployer = shop.account("deployer", "get,patch,create,delete");
        var uid = shop.uid("db-migrate");

        as(shop, deployer, "apply", Manifests.edited(Manifests.JOB)).orFail();

        assertThat(shop.uids()).hasSize(1).doesNotContain(uid);
        assertThat(deletersOfJobs(shop)).containsExactly(deployer);
    }

    /** No policy applies to masters, so nobody may act as one; there is a way out, and it is a setting. */
    @Test
    void aMasterIsRefusedUnlessEditsTakeEffectAsTheServiceAccount() {
        var shop = workspace("Replace");
        var edited = shop.file(Manifests.edited(Manifests.JOB));
        var uid = shop.uid("db-migrate");

        var refused = shop.kubectlWith(kubernetes.superAdminKubeconfig(), "apply", "-f", edited);

        assertThat(refused.err()).contains("RequesterNotImpersonated", "system:masters");
        assertThat(shop.uids()).containsExactly(uid);

        registration.giveOwn("create,delete");
        try (var older = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.replacement.as", "ServiceAccount")
                .start()) {
            registration.of(older);

            shop.kubectlWith(kubernetes.superAdminKubeconfig(), "apply", "-f", edited)
                    .orFail();

            assertThat(shop.uids()).hasSize(1).doesNotContain(uid);
            // what a policy that is keyed on the user would see
            assertThat(deletersOfJobs(shop)).containsExactly(ACCOUNT);
        } finally {
            registration.of(interlock);
            registration.takeOwn();
        }
    }

    /** It is not the requester who lacks something then. */
    @Test
    void whatOurAccountMayNotDoIsNotAskedOfTheRequester() {
        var shop = workspace("Replace");
        registration.giveOwn("create");
        try (var older = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.replacement.as", "ServiceAccount")
                .start()) {
            registration.of(older);

            var refused = as(shop, "carol", "apply", Manifests.edited(Manifests.JOB));

            assertThat(refused.err()).contains("NotReplacedNow", "gitops-interlock's account may not delete Jobs here");
        } finally {
            registration.of(interlock);
            registration.takeOwn();
        }
    }

    private static List<String> deletersOfJobs(Workspace shop) {
        return shop.changes().stream()
                .filter(change -> change.resource().equals("jobs")
                        && change.verb().equals("delete")
                        && change.succeeded()
                        && !change.dryRun())
                .map(AuditLog.Change::user)
                .toList();
    }

    /** With a finished Job and this policy. */
    private Workspace workspace(String policy) {
        var shop = Workspace.in(kubernetes, "impersonation");
        shop.onImmutableChange(policy);
        shop.apply(Manifests.JOB);
        shop.awaitComplete("db-migrate");
        await("Namespace's policy known")
                .until(() -> shop.kubectl("apply", "--dry-run=server", "-f", shop.file(Manifests.edited(Manifests.JOB)))
                        .err()
                        .contains("would "));
        return shop;
    }

    private static Command.Result as(Workspace shop, String user, String verb, String manifest, String... flags) {
        var arguments = new ArrayList<>(List.of(verb, "--as=" + user, "-f", shop.file(manifest)));
        arguments.addAll(List.of(flags));
        return shop.kubectl(arguments.toArray(String[]::new));
    }

    private static String named(String name) {
        return Manifests.JOB.replace("name: db-migrate", "name: " + name);
    }

    private static String hosted(String name) {
        return named(name).stripTrailing() + """

                      volumes: [{name: host, hostPath: {path: /etc}}]
                """.indent(0);
    }

    /** Refuses whatever the expression is false for. */
    private void policy(String name, Workspace shop, String operation, String expression) {
        shop.apply("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata: {name: "%1$s"}
                spec:
                  matchConstraints:
                    resourceRules:
                      - {apiGroups: [batch], apiVersions: [v1], resources: [jobs], operations: [%3$s]}
                  validations:
                    - expression: >-
                        %4$s
                      message: not for you
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata: {name: "%1$s"}
                spec:
                  policyName: "%1$s"
                  validationActions: [Deny]
                  matchResources:
                    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: "%2$s"}}
                """.formatted(name, shop.namespace(), operation, expression));
    }
}
