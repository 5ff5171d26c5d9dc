package dev.gitopsinterlock.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cli.cluster.ApiServer;
import dev.gitopsinterlock.cli.cluster.ApiServer.Answer;
import dev.gitopsinterlock.cli.cluster.ClusterReader;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.doctor.CanaryEdit;
import dev.gitopsinterlock.doctor.Check;
import dev.gitopsinterlock.doctor.Diagnosis;
import dev.gitopsinterlock.doctor.MissingRight;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Edits a Job by a dry run, which is never stored, and looks whose words come back.
 *
 * @param server that is asked
 */
public record Canary(ApiServer server) {

    private static final int FEW = 500;

    /**
     * Of a Job that is there. Not checked where there is none, or where the caller may not edit it.
     *
     * @param isJudged whether the API server asks about it
     */
    public Diagnosis ofExisting(Predicate<JsonNode> isJudged) throws Unreadable {
        var list = server.send("GET", "/apis/batch/v1/jobs?limit=" + FEW, "");
        if (!list.isSuccess()) {
            return refused(list);
        }
        var job = ClusterReader.parse(list)
                .path("items")
                .valueStream()
                .filter(CanaryEdit::suits)
                .filter(isJudged)
                .findFirst();
        return job.isPresent()
                ? edit(job.get())
                : Diagnosis.notChecked(
                        Check.CANARY,
                        "there is no Job that could be edited by a dry run; --canary-namespace NAME makes one that never"
                                + " starts a Pod, and deletes it");
    }

    /** Of a new Job, which never starts a Pod and is gone afterwards, whatever ends this. */
    public Diagnosis ofNew(String namespace) throws Unreadable {
        var created = server.send(
                "POST", ResourceType.JOB.path(namespace), CanaryEdit.newJob().toString());
        if (created.isNotFound()) {
            throw Unreadable.wrongUse("there is no Namespace " + namespace);
        }
        if (!created.isSuccess()) {
            return refused(created, namespace);
        }
        var job = ClusterReader.parse(created);
        var removal = new Removal(server, path(job));
        var atTheEnd = new Thread(removal);
        Runtime.getRuntime().addShutdownHook(atTheEnd);
        Diagnosis diagnosis;
        try {
            diagnosis = edit(job);
        } finally {
            removal.run();
            Runtime.getRuntime().removeShutdownHook(atTheEnd);
        }
        return removal.failure()
                .map(why -> diagnosis.and(
                        "The Job is still there (%s): delete it".formatted(why),
                        "kubectl -n %s delete job %s".formatted(namespace, ObjectMeta.name(job))))
                .orElse(diagnosis);
    }

    private Diagnosis edit(JsonNode job) throws Unreadable {
        var answer =
                server.send("PUT", path(job) + "?dryRun=All", CanaryEdit.of(job).toString());
        return answer.isForbidden()
                ? refused(answer)
                : CanaryEdit.judge(
                        ObjectName.of(job).toString(),
                        answer.status(),
                        answer.text(),
                        Set.copyOf(PackagedPages.codes()));
    }

    private Diagnosis refused(Answer answer, String namespace) {
        return answer.isForbidden()
                ? refused(answer)
                : CanaryEdit.judge(
                        namespace + "/(new)", answer.status(), answer.text(), Set.copyOf(PackagedPages.codes()));
    }

    private static Diagnosis refused(Answer answer) {
        return Diagnosis.notChecked(Check.CANARY, MissingRight.in(answer.text()).orElse(answer.text()));
    }

    private static String path(JsonNode job) {
        return ResourceType.JOB.path(ObjectName.of(job));
    }

    /** Deletes a Job once, also where the process is told to end. */
    private static final class Removal implements Runnable {

        private final ApiServer server;
        private final String path;
        private boolean done;
        private String failure = "";

        Removal(ApiServer server, String path) {
            this.server = server;
            this.path = path;
        }

        @Override
        public synchronized void run() {
            if (done) {
                return;
            }
            done = true;
            try {
                var answer = server.send("DELETE", path + "?propagationPolicy=Background", "");
                if (!answer.isSuccess() && !answer.isNotFound()) {
                    failure = MissingRight.in(answer.text()).orElse(answer.text());
                }
            } catch (Unreadable e) {
                failure = String.valueOf(e.getMessage());
            }
        }

        synchronized Optional<String> failure() {
            return failure.isEmpty() ? Optional.empty() : Optional.of(failure);
        }
    }
}
