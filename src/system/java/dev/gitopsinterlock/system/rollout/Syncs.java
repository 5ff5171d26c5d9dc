package dev.gitopsinterlock.system.rollout;

import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Applications;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The syncs of a run, and when each one counted. They change one after the other, so that a number says which run. */
final class Syncs {

    /**
     * A time during which no node may begin.
     *
     * @param known when every replica knew of it; a patch that was under way then may have been looked at before
     * @param from revision after that, or without us the one with which it was there
     * @param to revision with which its operation was gone
     */
    record Sync(String application, Instant known, long from, long to) {

        boolean covers(long revision) {
            return from < revision && revision < to;
        }
    }

    /** One that runs; it counts once it is known. */
    private record Running(long requested, Optional<Known> known) {}

    private record Known(Instant at, long revision) {}

    private final ControlPlane controlPlane;
    private final List<Applications> namespaces;
    private final Leases leases;
    private final Optional<Replicas> replicas;
    private final Map<String, Running> running = new LinkedHashMap<>();
    private final List<Sync> counted = new ArrayList<>();

    Syncs(ControlPlane controlPlane, Optional<Replicas> replicas) {
        this.controlPlane = controlPlane;
        this.namespaces =
                List.of(Applications.in(controlPlane, "argocd"), Applications.in(controlPlane, "openshift-gitops"));
        this.leases = new Leases(controlPlane);
        this.replicas = replicas;
    }

    /** Whether it runs elsewhere, so that only a Lease tells of it. */
    private static boolean isAnnounced(String application) {
        return application.startsWith(Plan.ELSEWHERE);
    }

    void create(String application) {
        if (!isAnnounced(application)) {
            namespaceOf(application).create(application);
        }
    }

    synchronized void request(String application) {
        var requested = isAnnounced(application)
                ? leases.announce(application)
                : namespaceOf(application).requestSync(application);
        running.put(application, new Running(requested, Optional.empty()));
        awaitKnown();
    }

    synchronized void begin(String application) {
        if (isAnnounced(application)) {
            leases.renew(application);
        } else {
            namespaceOf(application).beginSync(application);
        }
    }

    synchronized void end(String application) {
        var over = isAnnounced(application)
                ? leases.end(application)
                : namespaceOf(application).endSync(application);
        var sync = Optional.ofNullable(running.remove(application)).orElseThrow();
        sync.known().ifPresent(known -> counted.add(new Sync(application, known.at(), known.revision(), over)));
        awaitKnown();
    }

    /** Those that count already go on counting while a replica is away and when the new one has come. */
    void restart(int number) {
        replicas.ifPresent(present -> present.restart(number));
        synchronized (this) {
            awaitKnown();
        }
    }

    /** When all syncs have ended. */
    synchronized List<Sync> counted() {
        if (!running.isEmpty()) {
            throw new IllegalStateException("still running: " + running.keySet());
        }
        return List.copyOf(counted);
    }

    void clear() {
        namespaces.forEach(Applications::clear);
        leases.clear();
    }

    private void awaitKnown() {
        if (replicas.isEmpty()) {
            running.replaceAll((application, sync) ->
                    new Running(sync.requested(), Optional.of(new Known(Instant.now(), sync.requested()))));
            return;
        }
        var present = replicas.orElseThrow();
        await("replicas know of " + running.keySet())
                .atMost(Limits.PATIENCE)
                .until(() -> present.allKnow(running.size()));
        if (present.areComplete()) {
            var known = new Known(Instant.now(), controlPlane.revision());
            running.replaceAll((application, sync) ->
                    new Running(sync.requested(), Optional.of(sync.known().orElse(known))));
        }
    }

    private Applications namespaceOf(String application) {
        return namespaces.get(Math.floorMod(application.hashCode(), namespaces.size()));
    }
}
