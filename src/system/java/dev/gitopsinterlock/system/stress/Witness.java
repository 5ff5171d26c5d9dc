package dev.gitopsinterlock.system.stress;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** Sees every Job and Pod that ever was in a Namespace, however short it was there. */
final class Witness implements AutoCloseable {

    private static final String LAST = "last";
    private static final String JOB_UID = "batch.kubernetes.io/controller-uid";

    private final KubernetesClient api;
    private final String namespace;
    private final Watch jobs;
    private final Watch pods;
    private final Map<String, Set<String>> uidsByJob = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> podsByJobUid = new ConcurrentHashMap<>();
    private final AtomicReference<Optional<WatcherException>> blind = new AtomicReference<>(Optional.empty());

    Witness(KubernetesClient api, String namespace) {
        this.api = api;
        this.namespace = namespace;
        this.jobs = api.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .watch(new Eyes<Job>((name, job) -> note(uidsByJob, name, job)));
        this.pods = api.pods()
                .inNamespace(namespace)
                .watch(new Eyes<Pod>((name, pod) -> note(
                        podsByJobUid,
                        pod.getMetadata().getLabels() == null
                                ? name
                                : pod.getMetadata().getLabels().getOrDefault(JOB_UID, name),
                        pod)));
    }

    /** Every uid that a Job of this name had. */
    Set<String> uids(String job) {
        return uidsByJob.getOrDefault(job, Set.of());
    }

    /** How many Pods were ever made for the Job. */
    int pods(String jobUid) {
        return podsByJobUid.getOrDefault(jobUid, Set.of()).size();
    }

    /** Waits until it has seen everything that happened so far: events come in the order of their revisions. */
    void catchUp() {
        var metadata =
                new ObjectMetaBuilder().withName(LAST).withNamespace(namespace).build();
        api.resource(new JobBuilder()
                        .withMetadata(metadata)
                        .withNewSpec()
                        .withSuspend(true)
                        .withNewTemplate()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .addNewContainer()
                        .withName(LAST)
                        .withImage(LAST)
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
        api.resource(new PodBuilder()
                        .withMetadata(metadata)
                        .withNewSpec()
                        .addNewSchedulingGate("stress.gitops-interlock.dev/never")
                        .addNewContainer()
                        .withName(LAST)
                        .withImage(LAST)
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        await("the last event").atMost(Duration.ofSeconds(60)).until(() -> {
            if (blind.get().isPresent()) {
                throw new AssertionError("a watch ended", blind.get().get());
            }
            return uidsByJob.containsKey(LAST) && podsByJobUid.containsKey(LAST);
        });
    }

    private static void note(Map<String, Set<String>> seen, String key, HasMetadata object) {
        seen.computeIfAbsent(key, name -> ConcurrentHashMap.newKeySet())
                .add(object.getMetadata().getUid());
    }

    @Override
    public void close() {
        jobs.close();
        pods.close();
    }

    private final class Eyes<T extends HasMetadata> implements Watcher<T> {

        private final BiConsumer<String, T> note;

        private Eyes(BiConsumer<String, T> note) {
            this.note = note;
        }

        @Override
        public void eventReceived(Action action, T object) {
            note.accept(object.getMetadata().getName(), object);
        }

        @Override
        public void onClose(WatcherException cause) {
            blind.set(Optional.of(cause));
        }
    }
}
