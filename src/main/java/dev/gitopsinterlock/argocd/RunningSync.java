package dev.gitopsinterlock.argocd;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A sync of an Application that has been asked for, changes something, and has not ended: one whose {@code operation} is set. Argo
 * CD's controller takes that away in the same write that says how the sync ended; the phase alone is no proof, it stays on
 * {@code Running} where a controller died (argoproj/argo-cd#23765). Or an ApplicationSet's {@link ProgressiveSync}; what Flux calls a
 * reconciliation, of a Kustomization; a sync that runs elsewhere and is announced by a Lease.
 *
 * @param kind of what is synced
 * @param namespace of what is synced, or of the Argo CD that has it as one of its {@link SourceNamespaces}
 * @param name of what is synced; of an ApplicationSet with that word, of what is announced with who announces it
 * @param project that an Application belongs to; the others have none
 * @param syncHold what its annotation says; empty without one or where it says something unknown
 * @param begun when the sync began, or was asked for where it has not; empty where nothing tells
 * @param destination of an Application; the others have none
 */
public record RunningSync(
        Kind kind,
        String namespace,
        String name,
        String project,
        Optional<SyncHold> syncHold,
        Optional<Instant> begun,
        Destination destination) {

    /** One without a destination. */
    public RunningSync(
            Kind kind,
            String namespace,
            String name,
            String project,
            Optional<SyncHold> syncHold,
            Optional<Instant> begun) {
        this(kind, namespace, name, project, syncHold, begun, Destination.NONE);
    }

    /** Whose sync it is. */
    public enum Kind {
        /** Argo CD's. */
        APPLICATION,
        /** Flux's. */
        KUSTOMIZATION,
        /** Somebody's elsewhere. */
        ANNOUNCED
    }

    private static final String DEFAULT_PROJECT = "default";
    private static final String SKIP_RECONCILE = "argocd.argoproj.io/skip-reconcile";
    private static final Set<String> UNFINISHED = Set.of("Running", "Terminating");

    /** One of a Kustomization. */
    public static RunningSync ofKustomization(
            String namespace, String name, Optional<SyncHold> syncHold, Instant begun) {
        return new RunningSync(Kind.KUSTOMIZATION, namespace, name, "", syncHold, Optional.of(begun));
    }

    /** One that a Lease in this Namespace announces. */
    public static RunningSync announced(String namespace, String name, Optional<SyncHold> syncHold, Instant begun) {
        return new RunningSync(Kind.ANNOUNCED, namespace, name, "", syncHold, Optional.of(begun));
    }

    /** The sync that an Application runs; empty without one, for a dry run, and where the controller is told to leave the Application alone. */
    public static Optional<RunningSync> of(JsonNode application) {
        var operation = application.path("operation");
        if (!operation.isObject()
                || operation.path("sync").path("dryRun").asBoolean()
                || ObjectMeta.annotation(application, SKIP_RECONCILE).equals("true")) {
            return Optional.empty();
        }
        return Optional.of(new RunningSync(
                Kind.APPLICATION,
                ObjectMeta.namespace(application),
                ObjectMeta.name(application),
                application.path("spec").path("project").asText(DEFAULT_PROJECT),
                SyncHold.SETTING.parse(ObjectMeta.annotation(application, SyncHold.SETTING.annotation())),
                begun(application),
                Destination.of(application)));
    }

    /** Whether nothing waits for it, and people are only told what would have. */
    public boolean isOnlyObserved() {
        return syncHold.filter(SyncHold.OBSERVE::equals).isPresent();
    }

    /** The state of an earlier operation can still be there when the next one is asked for by a plain edit. */
    private static Optional<Instant> begun(JsonNode application) {
        var state = application.path("status").path("operationState");
        return UNFINISHED.contains(state.path("phase").asText())
                ? Timestamp.of(state.path("startedAt"))
                : askedFor(application);
    }

    /** When {@code operation} was written, as the API server says. */
    private static Optional<Instant> askedFor(JsonNode application) {
        for (var entry : application.path("metadata").path("managedFields")) {
            if (entry.path("fieldsV1").has("f:operation")) {
                return Timestamp.of(entry.path("time"));
            }
        }
        return Optional.empty();
    }
}
