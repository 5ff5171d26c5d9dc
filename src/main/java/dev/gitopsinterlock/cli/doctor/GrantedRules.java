package dev.gitopsinterlock.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.cli.cluster.ClusterReader;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.Installation;
import dev.gitopsinterlock.doctor.Reading;
import java.util.ArrayList;
import java.util.List;

/** Reads the rules that RBAC has bound to the account of an installation, and to the groups that it is in. Blocks. */
final class GrantedRules {

    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1";

    private final ClusterReader cluster;

    GrantedRules(ClusterReader cluster) {
        this.cluster = cluster;
    }

    /** Those for the whole cluster, and those in each Namespace that the service works in. */
    Reading of(Installation known) throws Unreadable {
        if (known.namespace().isEmpty()) {
            return Reading.absent();
        }
        var account = known.deployment()
                .tree()
                .at("/spec/template/spec/serviceAccountName")
                .asText("default");
        var granted = JsonNodeFactory.instance.objectNode();
        var inCluster = granted.putArray("cluster");
        var obstacle = bound(ROLES + "/clusterrolebindings", known.namespace(), account, inCluster);
        var namespaces = granted.putObject("namespaces");
        var others = new ArrayList<>(List.of(known.namespace()));
        others.addAll(known.replacementNamespaces());
        others.addAll(known.leaseNamespaces());
        for (var namespace : others) {
            if (obstacle.isEmpty()) {
                obstacle = bound(
                        Survey.in(ROLES, namespace, "rolebindings"),
                        known.namespace(),
                        account,
                        namespaces.putArray(namespace));
            }
        }
        return obstacle.isEmpty() ? Reading.of(granted) : Reading.refused(obstacle);
    }

    /** Adds the rules; returns why that was not possible. */
    private String bound(String bindings, String namespace, String account, ArrayNode rules) throws Unreadable {
        var list = cluster.read(bindings);
        if (list.isRefused()) {
            return list.obstacle();
        }
        for (var binding : list.items().toList()) {
            var isBound =
                    binding.path("subjects").valueStream().anyMatch(subject -> isAccount(subject, namespace, account));
            if (isBound) {
                var role = binding.path("roleRef");
                var reading = cluster.read(
                        role.path("kind").asText().equals("Role")
                                ? Survey.in(
                                        ROLES,
                                        binding.at("/metadata/namespace").asText(),
                                        "roles/" + role.path("name").asText())
                                : ROLES + "/clusterroles/" + role.path("name").asText());
                if (reading.isRefused()) {
                    return reading.obstacle();
                }
                reading.tree().path("rules").forEach(rules::add);
            }
        }
        return "";
    }

    private static boolean isAccount(JsonNode subject, String namespace, String account) {
        var name = subject.path("name").asText();
        return switch (subject.path("kind").asText()) {
            case "ServiceAccount" ->
                name.equals(account) && subject.path("namespace").asText().equals(namespace);
            case "Group" ->
                List.of("system:authenticated", "system:serviceaccounts", "system:serviceaccounts:" + namespace)
                        .contains(name);
            default -> false;
        };
    }
}
