package dev.gitopsinterlock.argocd;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** Those of these Namespaces that have the label. */
    public static SourceNamespaces of(Stream<JsonNode> namespaces) {
        return new SourceNamespaces(namespaces
                .filter(each -> !ObjectMeta.label(each, LABEL).isEmpty())
                .collect(Collectors.toMap(ObjectMeta::name, each -> ObjectMeta.label(each, LABEL))));
    }

    /** The Namespace as whose an Application counts: its own, or else that of its Argo CD. */
    public String counting(String namespace, SyncScope scope) {
        return scope.coversNamespace(namespace) ? namespace : argoCds.getOrDefault(namespace, namespace);
    }

    /** A sync of Argo CD that does not count where it is, as one of the Namespace of its Argo CD. */
    public RunningSync resolve(RunningSync sync, SyncScope scope) {
        return sync.kind() != RunningSync.Kind.APPLICATION
                ? sync
                : new RunningSync(
                        sync.kind(),
                        counting(sync.namespace(), scope),
                        sync.name(),
                        sync.project(),
                        sync.syncHold(),
                        sync.begun(),
                        sync.destination());
    }
}
