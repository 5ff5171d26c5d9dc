package dev.gitopsinterlock.testing.bed;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.Inventory.Item;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Lists all objects of a control plane by their metadata, of whatever kinds it serves, in parallel. A Namespace that is
 * being deleted counts as gone.
 */
final class InventoryReader {

    private static final String DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final String METADATA = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    /** What nobody makes: it tells of others, or Kubernetes keeps it in step with them. */
    private static final Set<String> DERIVED = Set.of(
            "events", // gone by themselves
            "events.events.k8s.io",
            "componentstatuses", // no objects
            "leases.coordination.k8s.io", // of programs that run
            "apiservices.apiregistration.k8s.io", // of definitions
            "ipaddresses.networking.k8s.io", // of Services
            "endpoints",
            "endpointslices.discovery.k8s.io");

    /** What controllers put into each Namespace, in their own time, and what the service keeps in its own. */
    private static final Set<String> KEPT =
            Set.of("configmaps kube-root-ca.crt", "serviceaccounts default", "secrets gitops-interlock-intent-key");

    private final KubernetesClient client;

    private InventoryReader(KubernetesClient client) {
        this.client = client;
    }

    static Inventory read(KubernetesClient client) {
        return new InventoryReader(client).read();
    }

    private Inventory read() {
        var lists = new HashMap<String, CompletableFuture<JsonNode>>();
        for (var root : List.of("/api", "/apis")) {
            for (var group : get(root, DISCOVERY).join().path("items")) {
                paths(root, group).forEach((resource, path) -> lists.put(resource, get(path, METADATA)));
            }
        }
        var states = new HashMap<Item, String>();
        lists.forEach((resource, list) ->
                list.join().path("items").forEach(item -> add(resource, item.path("metadata"), states)));
        return new Inventory(states);
    }

    /** Of all kinds of a group that can be listed, each in the version that the API server prefers. */
    private static Map<String, String> paths(String root, JsonNode group) {
        var name = group.at("/metadata/name").asText();
        var paths = new HashMap<String, String>();
        for (var version : group.path("versions")) {
            for (var resource : version.path("resources")) {
                var plural = resource.path("resource").asText();
                var full = name.isEmpty() ? plural : plural + "." + name;
                if (!DERIVED.contains(full) && resource.path("verbs").toString().contains("\"list\"")) {
                    paths.putIfAbsent(
                            full,
                            Stream.of(root, name, version.path("version").asText(), plural)
                                    .filter(part -> !part.isEmpty())
                                    .collect(joining("/")));
                }
            }
        }
        return paths;
    }

    private static void add(String resource, JsonNode metadata, Map<Item, String> states) {
        var name = metadata.path("name").asText();
        var isEnding = resource.equals("namespaces") && metadata.has("deletionTimestamp");
        if (!isEnding && !KEPT.contains(resource + " " + name)) {
            states.put(
                    new Item(resource, metadata.path("namespace").asText(), name),
                    metadata.path("generation") + " " + metadata.path("labels") + " " + metadata.path("annotations"));
        }
    }

    private CompletableFuture<JsonNode> get(String path, String accept) {
        var http = client.getHttpClient();
        var request = http.newHttpRequestBuilder()
                .uri(client.getMasterUrl().toString().replaceFirst("/$", "") + path)
                .header("Accept", accept)
                .build();
        return http.sendAsync(request, String.class).thenApply(response -> {
            if (!response.isSuccessful()) {
                throw new IllegalStateException(path + ": " + response.code());
            }
            return Trees.json(response.body().getBytes(StandardCharsets.UTF_8));
        });
    }
}
