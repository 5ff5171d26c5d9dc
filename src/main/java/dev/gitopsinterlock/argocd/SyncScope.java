package dev.gitopsinterlock.argocd;

import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Which syncs count. Anybody who may write an Application can claim that a sync is running, so it counts only where
 * Argo CD is known to be, and only for so long. Flux has no such place: a Kustomization counts wherever it is, once it has been
 * reconciling for longer than one does in which nothing happens.
 *
 * @param namespaces of the Applications that count; {@code *} in a name stands for anything
 * @param projects that count, in the same form
 * @param maxAge after which a sync that is still running does not count any more
 * @param leaseNamespaces of the Leases that announce syncs which run elsewhere
 */
public record SyncScope(List<String> namespaces, List<String> projects, Duration maxAge, List<String> leaseNamespaces) {

    /** In an hour of watching, Kustomizations of 300 objects in which nothing changed took 3 s at most. */
    private static final Duration KUSTOMIZATION_MIN_AGE = Duration.ofSeconds(10);

    public SyncScope {
        namespaces = List.copyOf(namespaces);
        projects = List.copyOf(projects);
        leaseNamespaces = List.copyOf(leaseNamespaces);
    }

    /** One whose beginning is not known counts: what limits a hold does not depend on it. */
    public boolean counts(RunningSync sync, Instant now) {
        return sync.syncHold().filter(SyncHold.DISABLED::equals).isEmpty()
                && isOurs(sync, now)
                && sync.begun()
                        .map(begun -> begun.plus(maxAge))
                        .filter(end -> !now.isBefore(end))
                        .isEmpty();
    }

    private boolean isOurs(RunningSync sync, Instant now) {
        return switch (sync.kind()) {
            case APPLICATION -> covers(sync.namespace(), sync.project());
            case KUSTOMIZATION ->
                sync.begun()
                        .map(begun -> begun.plus(KUSTOMIZATION_MIN_AGE))
                        .filter(enough -> !now.isBefore(enough))
                        .isPresent();
            case ANNOUNCED -> leaseNamespaces.contains(sync.namespace());
        };
    }

    /** Whether syncs of such an Application count at all. */
    public boolean covers(String namespace, String project) {
        return coversNamespace(namespace) && matches(projects, project);
    }

    public boolean coversNamespace(String namespace) {
        return matches(namespaces, namespace);
    }

    private static boolean matches(List<String> patterns, String name) {
        return patterns.stream().anyMatch(pattern -> name.matches("\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E"));
    }
}
