package dev.gitopsinterlock.tool;

import static dev.gitopsinterlock.admission.SchemaCheck.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The user of a request, as the API server authenticated (or impersonated) it.
 *
 * @param username for example {@code system:serviceaccount:argocd:argocd-application-controller}
 * @param uid as the authenticator gave it; empty where it gave none
 * @param groups the user's groups
 * @param extra the authenticator's additional facts, such as the Pod that a token is bound to
 */
public record Requester(String username, String uid, List<String> groups, Map<String, List<String>> extra) {

    /** What {@code argocd cluster add} creates in a cluster that is managed from elsewhere. */
    public static final ServiceAccount ARGO_CD_REMOTE = new ServiceAccount("kube-system", "argocd-manager");

    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
    private static final String NODE = "system:node:";
    private static final String POD_NAME = "authentication.kubernetes.io/pod-name";

    public Requester {
        groups = List.copyOf(groups);
        extra = Map.copyOf(extra);
    }

    /** As a request's {@code userInfo} has it. */
    public static Requester of(JsonNode userInfo) {
        var extra = new HashMap<String, List<String>>();
        for (var entry : userInfo.path("extra").properties()) {
            extra.put(entry.getKey(), texts(entry.getValue()));
        }
        return new Requester(
                text(userInfo.path("username")), text(userInfo.path("uid")), texts(userInfo.path("groups")), extra);
    }

    private static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    /** What sort of user this is, for the log: one of few words, where the name could be anybody's. */
    public static String sort(String username) {
        if (username.startsWith(SERVICE_ACCOUNT)) {
            return "ServiceAccount";
        }
        return username.startsWith(NODE) ? "Node" : "User";
    }

    /** Namespace and name, if the user is a service account. */
    public Optional<ServiceAccount> serviceAccount() {
        if (!username.startsWith(SERVICE_ACCOUNT)) {
            return Optional.empty();
        }
        var parts = username.substring(SERVICE_ACCOUNT.length()).split(":", -1);
        return parts.length == 2 ? Optional.of(new ServiceAccount(parts[0], parts[1])) : Optional.empty();
    }

    /** The Pod that the request's token is bound to; lost under impersonation. */
    public Optional<String> podName() {
        return extra.getOrDefault(POD_NAME, List.of()).stream().findFirst();
    }

    /**
     * The controllers of the control plane itself and everything in kube-system: their writes are never judged. A
     * remote cluster's Argo CD account lives in kube-system too and is not one of them.
     */
    public boolean isControlPlane() {
        return username.equals("system:kube-controller-manager")
                || username.equals("system:apiserver")
                || serviceAccount()
                        .filter(account -> account.namespace().equals("kube-system"))
                        .filter(account -> !account.equals(ARGO_CD_REMOTE))
                        .isPresent();
    }

    /** Namespace and name of a service account. */
    public record ServiceAccount(String namespace, String name) {}
}
