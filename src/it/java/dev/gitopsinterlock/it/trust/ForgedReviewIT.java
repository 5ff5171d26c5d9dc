package dev.gitopsinterlock.it.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Manifests;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The attack: a Pod that reaches the port makes a review up, in whose name it likes. Only what happens in the cluster
 * counts: nothing. It succeeded once, with a Job in kube-system that owned the Node.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForgedReviewIT {

    private static final String WRONG = "0123456789abcdefghij";
    private static final String NAMELESS = "00000000-0000-4000-8000-000000000000";

    private ControlPlane kubernetes;
    private final Map<As, Interlock> services = new EnumMap<>(As.class);

    /** In whose name the service under attack carries edits out. */
    enum As {
        REQUESTER("Requester"),
        SERVICE_ACCOUNT("ServiceAccount");

        private final String word;

        As(String word) {
            this.word = word;
        }
    }

    /** What the attacker knows or makes up. */
    enum Attack {
        /** No attack at all: what the others are missing. */
        NONE,
        NO_TOKEN,
        WRONG_TOKEN,
        TOKEN_IN_THE_QUERY,
        NAMESPACE_NOT_OPTED_IN,
        OTHER_UID,
        OTHER_VERSION,
        OTHER_STATE,
        NO_SUCH_JOB,
        EXEMPT_NAMESPACE,
        MASTER,
        ANOTHER_JOBS_NAME
    }

    @BeforeAll
    void start() {
        kubernetes = ControlPlane.start();
        // with the rights of both ways, so that no missing right stands in the attacker's way
        Registration.withRights(kubernetes, "rbac-requester").giveOwn("create,delete");
        for (var namespace : List.of("replace", "generatename", "closed", "kube-system")) {
            kubernetes.createNamespace(namespace);
            kubernetes
                    .kubectl("-n", namespace, "apply", "-f", kubernetes.file(Manifests.JOB))
                    .orFail();
            kubernetes
                    .kubectl("-n", namespace, "wait", "--for=condition=Complete", "job/db-migrate", "--timeout=300s")
                    .orFail();
            kubernetes
                    .kubectl("-n", namespace, "create", "rolebinding", "carol", "--clusterrole=edit", "--user=carol")
                    .orFail();
        }
        optIn("replace", "Replace");
        optIn("generatename", "GenerateName");
        optIn("kube-system", "Replace");
    }

    @AfterAll
    void end() {
        services.values().forEach(Interlock::close);
        kubernetes.close();
    }

    private void optIn(String namespace, String policy) {
        kubernetes
                .kubectl("annotate", "namespace", namespace, "gitops-interlock.dev/on-immutable-change=" + policy)
                .orFail();
    }

    /** Nobody asks it but the attacker. */
    private Interlock service(As as) {
        return services.computeIfAbsent(
                as,
                how -> Interlock.serving(kubernetes.webhookCertificates())
                        .watching(kubernetes)
                        .with("gitops-interlock.replacement.allow-job-annotations", "false")
                        .with("gitops-interlock.replacement.as", how.word)
                        .start());
    }

    static Stream<Arguments> attacks() {
        return Stream.of(As.values())
                .flatMap(as -> Stream.of("Replace", "GenerateName")
                        .flatMap(policy -> Stream.of(Attack.values())
                                // in the name of its own account the service asks for rights, which masters have
                                .filter(attack -> attack != Attack.MASTER || as == As.REQUESTER)
                                .map(attack -> Arguments.of(as, policy, attack))));
    }

    @ParameterizedTest(name = "{2}, {1}, carried out as {0}")
    @MethodSource("attacks")
    void nothingHappens(As as, String policy, Attack attack) {
        assumeTrue(
                as == As.SERVICE_ACCOUNT || kubernetes.impersonates(),
                () -> kubernetes.version() + " knows no constrained impersonation");
        var interlock = service(as);
        var before = everything();

        var answer = interlock.ask(path(attack), review(policy, attack));

        assertThat(answer.statusCode()).isEqualTo(200);
        if (attack == Attack.NONE) {
            assertThat(answer.body()).contains(policy.equals("Replace") ? "was replaced" : "runs as Job");
            assertThat(everything()).isNotEqualTo(before);
        } else {
            assertThat(answer.body()).doesNotContain("was replaced", "runs as Job");
            assertThat(everything()).isEqualTo(before);
        }
    }

    private static String path(Attack attack) {
        return switch (attack) {
            case NO_TOKEN -> "/mutate/jobs";
            case WRONG_TOKEN -> "/mutate/jobs/" + WRONG;
            case TOKEN_IN_THE_QUERY -> "/mutate/jobs?token=" + Interlock.TOKEN;
            default -> "/mutate/jobs/" + Interlock.TOKEN;
        };
    }

    private JsonNode review(String policy, Attack attack) {
        var namespace = switch (attack) {
            case NAMESPACE_NOT_OPTED_IN -> "closed";
            case EXEMPT_NAMESPACE -> "kube-system";
            default -> policy.toLowerCase(Locale.ROOT);
        };
        var live = (ObjectNode) Trees.json(kubernetes
                .kubectl("-n", namespace, "get", "job", "db-migrate", "-o", "json", "--show-managed-fields")
                .orFail()
                .out());
        switch (attack) {
            case OTHER_UID -> live.withObject("/metadata").put("uid", NAMELESS);
            case OTHER_VERSION -> live.withObject("/metadata").put("resourceVersion", "1");
            case OTHER_STATE ->
                live.withObject("/metadata").putArray("finalizers").add("example.com/books");
            case NO_SUCH_JOB ->
                live.withObject("/metadata").put("name", "never-was").put("uid", NAMELESS);
            default -> {}
        }
        // whatever the policy is: the edit says itself what it would like
        var owned = Jobs.with(owned(live), "/metadata/annotations/gitops-interlock.dev~1on-immutable-change", policy);
        var review = Reviews.update(live, owned);
        var request = review.withObject("/request");
        if (attack == Attack.ANOTHER_JOBS_NAME) {
            request.put("name", "another");
        }
        request.putObject("userInfo")
                .put("username", attack == Attack.MASTER ? "kubernetes-admin" : "carol")
                .putArray("groups")
                .add(attack == Attack.MASTER ? "system:masters" : "system:authenticated");
        return review;
    }

    /** What the attacker is after. */
    private static JsonNode owned(JsonNode live) {
        var owned = Jobs.with(
                live, "/spec/template/spec/containers/0/image", "attacker.example/owned:" + System.nanoTime());
        Trees.set(owned, "/spec/template/spec/hostPID", Trees.json("true"));
        Trees.set(owned, "/spec/template/spec/containers/0/securityContext", Trees.json("{'privileged': true}"));
        return owned;
    }

    /** All Jobs and Pods, and all Events of ours. Effects are over when the answer comes; Events have a test of their own. */
    private List<String> everything() {
        var all = new ArrayList<String>();
        for (var kind : List.of("jobs", "pods")) {
            all.addAll(kubernetes
                    .kubectl(
                            "get",
                            kind,
                            "-A",
                            "-o",
                            "jsonpath={range .items[*]}{.kind} {.metadata.namespace}/{.metadata.name}"
                                    + " {.metadata.uid} {.metadata.annotations}{\"\\n\"}{end}")
                    .orFail()
                    .out()
                    .lines()
                    .toList());
        }
        return all;
    }

    /** As it is installed by default: with rights over nothing, and nobody who could prove anything. */
    @Test
    void aServiceWithDefaultsHasNothingToObeyWith() {
        try (var interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .without("gitops-interlock.caller-token")
                .without("gitops-interlock.replacement.enabled")
                .without("gitops-interlock.replacement.allow-job-annotations")
                .start()) {
            var before = everything();

            for (var policy : List.of("Replace", "GenerateName")) {
                for (var path : List.of("/mutate/jobs", "/mutate/jobs/" + WRONG)) {
                    var answer = interlock.ask(path, review(policy, Attack.NONE));

                    assertThat(answer.body()).contains("KubectlApplyJobEdit", "replacement.enabled is false");
                }
            }

            assertThat(everything()).isEqualTo(before);
            assertThat(interlock.get("/q/health/ready").body())
                    .contains("off: gitops-interlock's value replacement.enabled is false");
        }
    }

    /** However it is started: without a way to know the API server there is nobody to obey. */
    @Test
    void aServiceThatCannotKnowItsCallerSaysWhyItCarriesNothingOut() {
        try (var interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .without("gitops-interlock.caller-token")
                .start()) {
            var before = everything();

            var answer = interlock.ask("/mutate/jobs", review("Replace", Attack.NONE));

            assertThat(answer.body()).contains("KubectlApplyJobEdit", "needs callerToken or a client CA");
            assertThat(everything()).isEqualTo(before);
            assertThat(interlock.log()).containsOnlyOnce("gitops-interlock.replacement.enabled: has no effect");
            assertThat(interlock.get("/q/health/ready").body())
                    .contains("off: gitops-interlock needs callerToken or a client CA");
        }
    }

    /** An Event on an object that nobody has seen would be a way to write into any Namespace. */
    @Test
    void aForgedNewJobGetsNoEvent() {
        var interlock = service(As.SERVICE_ACCOUNT);
        var forged = Reviews.create(hooked("forged"), "kubectlApply", "nobody");
        var real = Reviews.create(hooked("real"), "kubectlApply", "nobody");

        for (var path : List.of("/validate/jobs", "/validate/jobs/" + WRONG)) {
            assertThat(interlock.ask(path, forged).body()).contains("warnings");
        }
        assertThat(interlock.ask("/validate/jobs/" + Interlock.TOKEN, real).body())
                .contains("warnings");

        await("Event for a proven caller").until(() -> adviceEvents().contains("real"));
        assertThat(adviceEvents()).doesNotContain("forged");
    }

    private String adviceEvents() {
        return kubernetes
                .kubectl("-n", "closed", "get", "events", "-o", "jsonpath={.items[*].involvedObject.name}")
                .orFail()
                .out();
    }

    private static ObjectNode hooked(String name) {
        var job = Jobs.manifest(Jobs.finished());
        Trees.set(job, "/metadata/name", Trees.json("'" + name + "'"));
        Trees.set(job, "/metadata/namespace", Trees.json("'closed'"));
        Trees.set(job, "/metadata/annotations/argocd.argoproj.io~1hook", Trees.json("'Snyc'"));
        return job;
    }
}
