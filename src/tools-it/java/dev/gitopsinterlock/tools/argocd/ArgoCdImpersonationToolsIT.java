package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.AuditLog.Change;
import dev.gitopsinterlock.testing.bed.JobHistory;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.tools.scenario.Stories;
import dev.gitopsinterlock.tools.scenario.Story;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Argo CD syncs as a service account of the project's: who it is can no longer be told from the user's name, and what it
 * may do is what that account may do.
 */
@ExtendWith(Stories.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArgoCdImpersonationToolsIT {

    private static final String JOB = "db-migrate";

    private final Cluster cluster = Cluster.start();
    private final ArgoCd argoCd =
            ArgoCd.start(cluster.controlPlane(), Map.of("application.sync.impersonation.enabled", "true"));

    @AfterAll
    void end() {
        argoCd.close();
        cluster.close();
    }

    @ParameterizedTest
    @Execution(ExecutionMode.CONCURRENT)
    @CsvSource({
        "Reject, 'get,list,watch,create,patch,update,delete', all rights",
        "Replace, 'get,list,watch,create,patch,update,delete', all rights",
        "Replace, 'get,list,watch,create,patch,update', no right to delete",
    })
    void theImageOfAJobChanges(String policy, String verbs, String rights, Story story, @TempDir Path folder) {
        story.of(
                ArgoCd.words(),
                "syncs as a service account with " + rights + "; the image of a Job changes",
                "client-side apply",
                policy);
        var shop = Workspace.in(cluster.controlPlane(), "argo-as");
        shop.onImmutableChange(policy);
        var deployer = shop.account("deployer", verbs);
        cluster.controlPlane()
                .kubectl("-n", "argocd", "patch", "appproject", "default", "--type=merge", "-p", """
                        {"spec": {"destinationServiceAccounts": [
                          {"server": "https://kubernetes.default.svc", "namespace": "*", "defaultServiceAccount": "deployer"}]}}
                        """)
                .orFail();
        var git = GitRepository.in(folder);
        var job = Example.of("argocd-image-change").text("manifests/job.yaml");
        var app = argoCd.application(shop.namespace());
        var first = git.commit("job.yaml", job);
        app.deploy(
                git,
                shop.namespace(),
                "{automated: {prune: true, selfHeal: true}, retry: {limit: 1, backoff: {duration: 1s}}}");
        app.awaitSynced(first);
        var history = JobHistory.of(shop, JOB);

        var second = git.commit("job.yaml", job.replace("1.0", "1.1"));
        app.refresh();

        if (policy.equals("Replace") && verbs.endsWith("delete")) {
            app.awaitSynced(second);
            history.awaitComplete("migrate:1.1");
            assertThat(history.newRuns()).isEqualTo(1);
            story.shows(app.status(), app.message(), shop);
        } else {
            app.awaitEnd(second, "Failed");
            assertThat(history.newRuns()).isZero();
            assertThat(app.message()).contains(policy.equals("Reject") ? ". ArgoCdJobEdit" : ". RightsMissing");
            story.shows(app.status(), app.message(), shop);
        }
        assertThat(shop.changes())
                .filteredOn(change ->
                        change.resource().equals("jobs") && change.verb().equals("patch"))
                .extracting(Change::user)
                .contains(deployer);
        story.job(history.outcome(), history.afterwards());
        app.delete();
    }
}
