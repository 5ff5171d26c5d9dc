package dev.gitopsinterlock.cluster.hub;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.announced.AnnouncedHold;
import dev.gitopsinterlock.announced.Announcement;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.KubernetesApi.Patch;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the Leases of one cluster as they are wanted. Any number of replicas may do so at once: they write the same, and
 * each takes away only what it wrote, or what has expired. Blocks; one thread calls {@link #keep}.
 */
final class LeaseWriter {

    /** A quarter of what a Lease is valid for. */
    static final Duration RENEWAL = Duration.ofSeconds(15);

    /** How often it is looked for what others have left. */
    static final Duration SWEEP = Duration.ofMinutes(5);

    private final KubernetesApi api;
    private final ProcessClock clock;

    /** What may be there by us. */
    private final Map<String, Written> written = new ConcurrentHashMap<>();

    private volatile Wanted wanted;
    private Optional<Long> swept = Optional.empty();

    /**
     * @param renewed of {@link ProcessClock#nanoTime}; empty where nobody knows whether it was
     */
    private record Written(Announcement announcement, Optional<Long> renewed) {}

    /**
     * @param told of {@link ProcessClock#nanoTime}
     */
    private record Wanted(List<Announcement> announcements, long told) {}

    private interface Step {

        void take() throws IOException;
    }

    /** The API server answered, and did not do it. */
    private static final class Refused extends IOException {

        private Refused(String message) {
            super(message);
        }
    }

    LeaseWriter(KubernetesApi api, ProcessClock clock) {
        this.api = api;
        this.clock = clock;
        this.wanted = new Wanted(List.of(), clock.nanoTime());
    }

    /**
     * To be told again and again: what nobody has said for as long as a renewal takes is not known any more, and nothing is
     * written.
     *
     * @return whether that is something else than before
     */
    boolean want(List<Announcement> announcements) {
        var before = wanted;
        wanted = new Wanted(announcements, clock.nanoTime());
        return !before.announcements().equals(announcements);
    }

    /** How many there are by us. */
    int size() {
        return written.size();
    }

    /**
     * Deletes and writes what is due, until something else is wanted. One that is refused does not keep the others waiting;
     * no answer does.
     *
     * @throws IOException for the last that was refused, at the end
     */
    void keep() throws IOException {
        var now = wanted;
        Optional<Refused> refused = Optional.empty();
        for (var step : due(now)) {
            if (!wanted.announcements().equals(now.announcements())) {
                break;
            }
            try {
                step.take();
            } catch (Refused e) {
                refused = Optional.of(e);
            }
        }
        if (refused.isPresent()) {
            throw refused.get();
        }
    }

    private List<Step> due(Wanted now) {
        var steps = new ArrayList<Step>();
        if (isOver(swept, SWEEP)) {
            steps.add(this::sweep);
        }
        if (isOver(Optional.of(now.told()), RENEWAL)) {
            return steps;
        }
        written.keySet().stream()
                .filter(name -> now.announcements().stream()
                        .noneMatch(each -> each.name().equals(name)))
                .forEach(name -> steps.add(() -> delete(name)));
        now.announcements().stream().filter(this::isDue).forEach(each -> steps.add(() -> write(each)));
        return steps;
    }

    private boolean isDue(Announcement announcement) {
        var before = written.get(announcement.name());
        return before == null || !before.announcement().equals(announcement) || isOver(before.renewed(), RENEWAL);
    }

    private boolean isOver(Optional<Long> since, Duration time) {
        return since.filter(begin -> clock.nanoTime() - begin < time.toNanos()).isEmpty();
    }

    private void write(Announcement announcement) throws IOException {
        written.put(announcement.name(), new Written(announcement, Optional.empty()));
        orFail(api.patch(
                path(announcement.name()),
                Patch.APPLY,
                announcement.lease(clock.now(), api.now()),
                KubernetesApi.PATIENCE));
        written.put(announcement.name(), new Written(announcement, Optional.of(clock.nanoTime())));
    }

    private void delete(String name) throws IOException {
        var answer = api.delete(
                path(name), JsonNodeFactory.instance.objectNode(), Identity.OWN_ACCOUNT, KubernetesApi.PATIENCE);
        if (answer.status() != 404) {
            orFail(answer);
        }
        written.remove(name);
    }

    /** Deletes what a hub that ended has left and nobody renews. The first answer tells the cluster's time, too. */
    private void sweep() throws IOException {
        var path = ResourceType.LEASE.path(api.ownNamespace()) + "?limit=100&labelSelector=" + Announcement.SELECTOR;
        for (var lease : orFail(api.get(path, KubernetesApi.PATIENCE)).body().path("items")) {
            var isExpired = AnnouncedHold.of(lease)
                    .flatMap(hold -> hold.at(api.now(), Announcement.DURATION))
                    .isEmpty();
            if (isExpired && !written.containsKey(ObjectMeta.name(lease))) {
                delete(ObjectMeta.name(lease));
            }
        }
        swept = Optional.of(clock.nanoTime());
    }

    private String path(String name) {
        return ResourceType.LEASE.path(new ObjectName(api.ownNamespace(), name));
    }

    private static ApiAnswer orFail(ApiAnswer answer) throws IOException {
        if (!answer.isSuccess()) {
            throw new Refused(answer.words());
        }
        return answer;
    }
}
