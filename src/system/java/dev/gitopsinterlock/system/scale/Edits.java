package dev.gitopsinterlock.system.scale;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.system.scale.Api.Answer;
import dev.gitopsinterlock.testing.bed.AuditLog.Change;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.Parallel;
import dev.gitopsinterlock.testing.run.Percentile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Finished Jobs under Replace, in a Namespace of their own, all of which are edited again and again. */
final class Edits {

    /** After six seconds a replacement no longer waits before it makes the new Job, as in nearly all of real life. */
    private static final Duration LONG_FINISHED = Duration.parse(System.getProperty("scale.finished-for", "PT0S"));

    private final ControlPlane controlPlane;
    private final Api api;
    private final String namespace;
    private final int jobs;
    private int version;

    /** Makes the Jobs, and waits until they have been finished for a while. */
    Edits(ControlPlane controlPlane, Api api, String namespace, int jobs) {
        this.controlPlane = controlPlane;
        this.api = api;
        this.namespace = namespace;
        this.jobs = jobs;
        controlPlane.createNamespace(namespace);
        api.createAll(path(), 0, jobs, number -> """
                {"apiVersion": "batch/v1", "kind": "Job",
                 "metadata": {"name": "%s", "annotations": {"gitops-interlock.dev/on-immutable-change": "Replace"}},
                 "spec": {"template": {
                   "metadata": {"labels": {"testbed.gitops-interlock.dev/outcome": "succeed"}},
                   "spec": {"restartPolicy": "Never", "containers": [%s]}}}}
                """.formatted(name(number), container()));
        awaitFinished();
    }

    /**
     * What its clients saw of a round.
     *
     * @param latencies in order
     * @param errors what was answered instead of success, at first
     */
    record Round(List<Duration> latencies, List<String> errors, Duration took) {

        double milliseconds(int percent) {
            return Percentile.of(latencies, percent).toNanos() / 1e6;
        }
    }

    /**
     * Edits each Job once, so many at a time, and does not wait for what comes of it. Those that are refused are edited
     * again, one at a time, because only so many are carried out at once, and a slow machine has no time for the rest.
     */
    Round edit(int atATime) {
        version++;
        var edit = "{\"spec\": {\"template\": {\"spec\": {\"containers\": [%s]}}}}".formatted(container());
        var latencies = new ConcurrentLinkedQueue<Duration>();
        var errors = new ConcurrentHashMap<String, Answer>();
        var begin = Instant.now();
        Parallel.run(atATime, jobs, number -> {
            var sent = System.nanoTime();
            var answer = api.merge(path() + "/" + name(number), edit);
            latencies.add(Duration.ofNanos(System.nanoTime() - sent));
            if (!answer.isSuccess()) {
                errors.put(name(number), answer);
            }
        });
        var took = Duration.between(begin, Instant.now());
        errors.keySet().forEach(job -> api.merge(path() + "/" + job, edit).orFail());
        return new Round(
                latencies.stream().sorted().toList(),
                errors.entrySet().stream().map(Map.Entry::toString).toList(),
                took);
    }

    /** Waits until every Job has run with the newest edit, and has been finished for a while. */
    void awaitFinished() {
        var youngest = new Instant[] {Instant.MAX};
        await(namespace + ": all Jobs finished with their newest edit")
                .atMost(Duration.ofMinutes(5))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    var unfinished = 0;
                    var last = Instant.MIN;
                    for (var job : live()) {
                        var isFinished = job.at("/status/conditions")
                                .findValuesAsText("type")
                                .contains("Complete");
                        if (!isFinished || !image(job).equals(image())) {
                            unfinished++;
                        } else {
                            var ended = Instant.parse(
                                    job.at("/status/completionTime").asText());
                            last = ended.isAfter(last) ? ended : last;
                        }
                    }
                    youngest[0] = last;
                    return unfinished == 0;
                });
        await("finished for a while")
                .until(() -> youngest[0].plus(LONG_FINISHED).isBefore(Instant.now()));
    }

    /** Jobs that are not there, and whether more Jobs or Pods were ever made than there were edits. */
    List<String> faults() {
        var faults = new ArrayList<String>();
        if (live().size() != jobs) {
            faults.add("%d Jobs of %d".formatted(live().size(), jobs));
        }
        for (var resource : List.of("jobs", "pods")) {
            var made = controlPlane.changes().in(namespace).stream()
                    .filter(change -> isCreation(change, resource))
                    .count();
            if (made != (long) jobs * (version + 1)) {
                faults.add("%d %s made for %d Jobs with %d edits each".formatted(made, resource, jobs, version));
            }
        }
        return faults;
    }

    private static boolean isCreation(Change change, String resource) {
        return change.resource().equals(resource)
                && change.verb().equals("create")
                && change.subresource().isEmpty()
                && !change.dryRun()
                && change.succeeded();
    }

    private JsonNode live() {
        return api.get(path()).orFail().body().path("items");
    }

    private String path() {
        return "/apis/batch/v1/namespaces/" + namespace + "/jobs";
    }

    private static String name(int number) {
        return "job-" + number;
    }

    private String container() {
        return "{\"name\": \"migrate\", \"image\": \"%s\"}".formatted(image());
    }

    private String image() {
        return "registry.example/migrate:1." + version;
    }

    private static String image(JsonNode job) {
        return job.at("/spec/template/spec/containers/0/image").asText();
    }
}
