package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static dev.gitopsinterlock.testing.text.Manifests.policy;
import static dev.gitopsinterlock.testing.text.Manifests.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Manifests;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits that are carried out as a replacement, by the clients that people use, on the real API server. */
@ExtendWith(Cluster.Extension.class)
class ReplaceIT {

    private static final String JOB = policy(Manifests.JOB, "on-immutable-change", "Replace");
    private static final String EDITED = edited(JOB);

    private final Cluster cluster;
    private final Workspace shop;

    ReplaceIT(Cluster cluster) {
        this.cluster = cluster;
        shop = Workspace.in(cluster.controlPlane(), "replace");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apply -f MANIFEST",
                "apply --server-side -f MANIFEST",
                "apply --server-side --force-conflicts -f MANIFEST",
                "apply --server-side --field-manager=helm -f MANIFEST"
            })
    void anAppliedEditRunsAsANewJobThatBelongsToTheClientAlone(String command) {
        shop.kubectl(arguments(command, JOB)).orFail();
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");

        var answer = shop.kubectl(arguments(command, EDITED)).orFail();

        assertReplaced(answer, uid);
        shop.awaitComplete("db-migrate");
        var replaced = shop.job("db-migrate");
        assertThat(shop.kubectl(arguments(command, EDITED)).orFail().text())
                .doesNotContain("Warning")
                .matches("(?s).*(unchanged|serverside-applied)\\n");
        assertThat(shop.job("db-migrate")).isEqualTo(replaced);

        shop.kubectl("delete", "job", "db-migrate").orFail();
        shop.kubectl(arguments(command, EDITED)).orFail();
        shop.awaitComplete("db-migrate");
        assertThat(Jobs.owners(replaced)).isEqualTo(Jobs.owners(shop.job("db-migrate")));
        assertThat(Jobs.content(replaced)).isEqualTo(Jobs.content(shop.job("db-migrate")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replace -f MANIFEST",
                "set image job/db-migrate migrate=registry.example/migrate:1.1",
                "patch job db-migrate --type=strategic -p {\"spec\":{\"template\":{\"spec\":{\"containers\":"
                        + "[{\"name\":\"migrate\",\"image\":\"registry.example/migrate:1.1\"}]}}}}",
                "patch job db-migrate --type=merge -p {\"spec\":{\"template\":{\"spec\":{\"containers\":"
                        + "[{\"name\":\"migrate\",\"image\":\"registry.example/migrate:1.1\"}]}}}}",
                "patch job db-migrate --type=json -p [{\"op\":\"replace\",\"path\":"
                        + "\"/spec/template/spec/containers/0/image\",\"value\":\"registry.example/migrate:1.1\"}]"
            })
    void anyOtherEditRunsAsANewJob(String command) {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");

        var answer = shop.kubectl(arguments(command, EDITED)).orFail();

        assertReplaced(answer, uid);
        shop.awaitComplete("db-migrate");
        var owners = Jobs.owners(shop.job("db-migrate"));
        var client = owners.keySet().stream()
                .filter(owner -> owner.startsWith("kubectl-") && owner.endsWith(" Update "))
                .findFirst()
                .orElseThrow();
        assertThat(owners).containsOnlyKeys(client, "kube-controller-manager Update status");

        shop.kubectl("delete", "job", "db-migrate").orFail();
        var verb = command.startsWith("replace") ? "create" : "apply";
        var manager = "--field-manager=" + client.substring(0, client.indexOf(' '));
        shop.kubectl(arguments(verb + " " + manager + " -f MANIFEST", EDITED)).orFail();
        shop.awaitComplete("db-migrate");
        assertThat(owners).isEqualTo(Jobs.owners(shop.job("db-migrate")));
    }

    /** Whatever the Job remembers of an earlier replacement. */
    @Test
    void anEditOfTheSelectorAloneRunsAsANewJob() {
        var job = with(JOB, "manualSelector: true\n  selector: {matchLabels: {app: shop}}")
                .replace("outcome: succeed}", "outcome: succeed, app: shop, tier: batch}");
        shop.apply(job);
        shop.awaitComplete("db-migrate");
        shop.apply(edited(job));
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");

        var answer = shop.kubectl("apply", "-f", shop.file(edited(job).replace("{app: shop}}", "{tier: batch}}")))
                .orFail();

        assertReplaced(answer, uid);
        assertThat(shop.job("db-migrate").at("/spec/selector"))
                .isEqualTo(Trees.json("{'matchLabels': {'tier': 'batch'}}"));
    }

    @Test
    void anEditorsEditRunsAsANewJob() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");
        var editor = shop.script("sed -i s/migrate:1.0/migrate:1.1/ \"$1\"");

        var answer = shop.kubectlIn(Map.of("KUBE_EDITOR", editor), "edit", "job", "db-migrate")
                .orFail();

        assertReplaced(answer, uid);
        shop.awaitComplete("db-migrate");
    }

    @Test
    void aPatchThatTestsTheOldValueIsReplacedAndItsSenderToldOfAMismatch() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");

        var answer = shop.kubectl(
                "patch",
                "job",
                "db-migrate",
                "--type=json",
                "-p",
                "[{\"op\":\"test\",\"path\":\"/spec/template/spec/containers/0/image\",\"value\":"
                        + "\"registry.example/migrate:1.0\"},{\"op\":\"replace\",\"path\":"
                        + "\"/spec/template/spec/containers/0/image\",\"value\":\"registry.example/migrate:1.1\"}]");

        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err()).contains("the server rejected our request");
        assertThat(shop.uid("db-migrate")).isNotEqualTo(uid);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apply --dry-run=server -o json -f MANIFEST",
                "apply --server-side --force-conflicts --dry-run=server -o json -f MANIFEST",
                "replace --dry-run=server -o json -f MANIFEST"
            })
    void aDryRunReplacesNothingAndShowsADrift(String command) {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        var live = shop.job("db-migrate");

        var answer = shop.kubectl(arguments(command, EDITED)).orFail();

        assertThat(answer.err()).contains("Warning: Job db-migrate would be replaced and run again");
        var shown = Trees.json(answer.out());
        assertThat(shown.path("spec")).isEqualTo(live.path("spec"));
        assertThat(shown.path("metadata")
                        .path("annotations")
                        .path("gitops-interlock.dev/would-replace")
                        .asText())
                .isEqualTo("true");
        assertThat(shop.job("db-migrate")).isEqualTo(live);
    }

    /** Argo CD's server-side diff looks only at what its own manager applies. */
    @Test
    void aDryRunOfArgoCdShowsItADriftInWhatItOwns() {
        var tracked = Manifests.annotated(
                Manifests.JOB,
                "gitops-interlock.dev/on-immutable-change: Replace, argocd.argoproj.io/tracking-id: 'shop:batch/Job:"
                        + shop.namespace() + "/db-migrate'");
        var apply = "apply --server-side --force-conflicts --field-manager=argocd-controller -f MANIFEST";
        shop.kubectl(arguments(apply, tracked)).orFail();
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");

        var shown = Trees.json(shop.kubectl(arguments(apply + " --dry-run=server -o json", edited(tracked)))
                .orFail()
                .out());
        var unchanged = Trees.json(shop.kubectl(arguments(apply + " --dry-run=server -o json", tracked))
                .orFail()
                .out());
        shop.kubectl(arguments(apply, edited(tracked))).orFail();

        var id = "/metadata/annotations/argocd.argoproj.io~1tracking-id";
        assertThat(shown.at(id)).isNotEqualTo(unchanged.at(id));
        assertThat(shop.uid("db-migrate")).isNotEqualTo(uid);
        assertThat(shop.job("db-migrate").at(id)).isEqualTo(unchanged.at(id));
    }

    @Test
    void aReplacementIsSeenInEventMetricLogAndAuditLog() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        shop.kubectl(arguments("apply -f MANIFEST", EDITED)).orFail();
        var uid = shop.uid("db-migrate");

        await("Event on the new Job")
                .untilAsserted(() -> assertThat(shop.kubectl("events", "--for=job/db-migrate", "-o", "json")
                                .orFail()
                                .out())
                        .contains(
                                "\"reason\": \"Replaced\"",
                                "Took the place of an older Job because spec.template.spec.containers[0].image changed,"
                                        + " sent by kubectl",
                                uid));
        assertThat(cluster.interlock().metrics())
                .containsPattern("gitops_interlock_effects_total\\{dry_run=\"false\",effect=\"replace_job\","
                        + "outcome=\"done\",tool=\"kubectl\"\\} [1-9]");
        assertThat(cluster.interlock().log())
                .contains("allowed: reason=replaced patched=true tool=kubectl kind=Job object=" + shop.namespace()
                        + "/db-migrate dryRun=false requester=User endpoint=mutate-jobs ms=");
        await("audit log")
                .until(() -> Files.readAllLines(cluster.controlPlane().auditLog()).stream()
                        .anyMatch(line -> line.contains(shop.namespace())
                                && line.contains("\"jobs.gitops-interlock.dev/replaced\":\"true\"")));
    }

    @Test
    void aPutOfTheLiveObjectIsReplacedAndItsSenderToldOfAConflict() {
        shop.apply(JOB);
        shop.awaitComplete("db-migrate");
        var uid = shop.uid("db-migrate");
        var live =
                shop.kubectl("get", "job", "db-migrate", "-o", "yaml").orFail().out();

        var answer = shop.kubectl("replace", "-f", shop.file(live.replace("migrate:1.0", "migrate:1.1")));

        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err()).contains("Conflict");
        assertThat(shop.uid("db-migrate")).isNotEqualTo(uid);
        shop.awaitComplete("db-migrate");
    }

    private void assertReplaced(Command.Result answer, String uid) {
        assertThat(answer.err()).contains("Warning: Job db-migrate was replaced and runs again");
        var job = shop.job("db-migrate");
        assertThat(job.path("metadata").path("uid").asText()).isNotEqualTo(uid);
        assertThat(job.at("/spec/template/spec/containers/0/image").asText()).endsWith("migrate:1.1");
        assertThat(job.path("metadata").path("annotations").has("gitops-interlock.dev/replacing"))
                .isFalse();
        assertThat(job.path("metadata")
                        .path("annotations")
                        .path("gitops-interlock.dev/replaced")
                        .asText())
                .startsWith(uid + "/");
        assertThat(shop.jobs()).containsExactly("db-migrate");
    }

    private String[] arguments(String command, String manifest) {
        return command.replace("MANIFEST", shop.file(manifest)).split(" ");
    }
}
