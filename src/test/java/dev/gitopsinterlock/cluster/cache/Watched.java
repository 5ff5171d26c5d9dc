package dev.gitopsinterlock.cluster.cache;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;

/** What a watch would bring, without one. */
public final class Watched {

    private Watched() {}

    /** Of a cluster that nobody reaches: it is never asked. */
    public static KubernetesClient nowhere() {
        var config = new ConfigBuilder(Config.empty()).withMasterUrl("http://127.0.0.1:1");
        return new KubernetesClientBuilder().withConfig(config.build()).build();
    }

    /** The first list, complete with these. */
    static void list(ResourceCache<?> cache, String... objects) {
        add(cache, objects);
        cache.recorder().onList("1", objects.length == 0);
    }

    static void add(ResourceCache<?> cache, String... objects) {
        for (var yaml : objects) {
            cache.recorder().onAdd(Serialization.unmarshal(yaml, GenericKubernetesResource.class));
        }
    }

    /** Argo CD's Applications, all of them. */
    public static void applications(ClusterWatch watch, String... applications) {
        list(watch.cache("applications"), applications);
    }
}
