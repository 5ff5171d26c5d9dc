package dev.gitopsinterlock.argocd;

import java.util.Map;

/**
 * Namespaces in which an Argo CD of another Namespace has Applications, as OpenShift GitOps labels them.
 *
 * @param argoCds the Namespace of its Argo CD, by that of the Applications
 */
public record SourceNamespaces(Map<String, String> argoCds) {

    /** Its value is the Namespace of the Argo CD. */
    public static final String LABEL = "argocd.argoproj.io/managed-by-cluster-argocd";

    public SourceNamespaces {
        argoCds = Map.copyOf(argoCds);
    }

    /** A sync of Argo CD that does not count where it is, as one of the Namespace of its Argo CD. */
    public RunningSync resolve(RunningSync sync, SyncScope scope) {
        return sync.kind() != RunningSync.Kind.APPLICATION || scope.coversNamespace(sync.namespace())
                ? sync
                : new RunningSync(
                        sync.kind(),
                        argoCds.getOrDefault(sync.namespace(), sync.namespace()),
                        sync.name(),
                        sync.project(),
                        sync.syncHold(),
                        sync.begun());
    }
}
