package dev.gitopsinterlock.cluster.hub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.argocd.Destination;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How to reach a cluster.
 *
 * @param config of a client, by the current context
 * @param names of the cluster: ours, and those of all entries under {@code clusters}, as Argo CD may have another one
 * @param servers the addresses of these
 */
record Kubeconfig(Config config, Set<String> names, Set<String> servers) {

    /** Empty for what is none, and for one by which a command would run. */
    static Optional<Kubeconfig> of(String name, String text, KubernetesSerialization serialization) {
        try {
            // nothing at all is null
            JsonNode tree = Objects.requireNonNullElse(
                    serialization.unmarshal(text, JsonNode.class), MissingNode.getInstance());
            var users = tree.path("users");
            var servers = texts(tree, "/cluster/server").collect(Collectors.toUnmodifiableSet());
            if (servers.isEmpty() || users.findValue("exec") != null || users.findValue("auth-provider") != null) {
                return Optional.empty();
            }
            var names = Stream.concat(Stream.of(name), texts(tree, "/name")).collect(Collectors.toUnmodifiableSet());
            var config = Config.fromKubeconfig(text);
            // with HTTP/2 a connection outlives the requests on it that nobody answers
            config.setHttp2Disable(true);
            // without a current context it has the address of the hub itself
            return users.findValuesAsText("token").stream().allMatch(Kubeconfig::isOneLine)
                            && new Destination("", config.getMasterUrl()).isAmong(names, servers)
                    ? Optional.of(new Kubeconfig(config, names, servers))
                    : Optional.empty();
        } catch (KubernetesClientException e) {
            return Optional.empty();
        }
    }

    /** No header can have more. */
    private static boolean isOneLine(String token) {
        return token.chars().noneMatch(Character::isISOControl);
    }

    private static Stream<String> texts(JsonNode tree, String path) {
        return tree.path("clusters")
                .valueStream()
                .map(cluster -> cluster.at(path).asText())
                .filter(text -> !text.isEmpty());
    }
}
