package dev.gitopsinterlock.cluster.cache;

import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.status.Facts.Watch;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ReducedStateItemStore;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What the rules need of all objects of one kind, kept up to date by a watch. Of each object only that is kept, and of
 * the others nothing, so that thousands of big ones cost little. Reading never blocks and never fails. Where the kind
 * does not exist (yet) there are no objects; it is looked for again and again.
 *
 * @param <T> what is kept of an object
 */
final class ResourceCache<T> {

    private static final Logger LOG = Logger.getLogger(ResourceCache.class);

    /** How many objects are in memory as a whole while they are listed. */
    private static final long PAGE = 100;

    /** A watch that ends is opened again within seconds, as a matter of course; what it knew is good until then. */
    private static final Duration GOOD_WITHOUT_WATCH = Duration.ofSeconds(60);

    private final ResourceDefinitionContext kind;
    private final String namespace;
    private final String selector;
    private final Function<GenericKubernetesResource, Optional<T>> reader;
    private final ProcessClock clock;
    private final ConcurrentMap<String, T> kept = new ConcurrentHashMap<>();
    private volatile @Nullable SharedIndexInformer<GenericKubernetesResource> informer;
    private volatile boolean listed;
    private volatile @Nullable WatchFailure failure;

    /**
     * Why there is no watch.
     *
     * @param isAbsence the kind does not exist
     * @param isRefusal we may not look
     * @param since the first failure in a row, of {@link ProcessClock#nanoTime}
     */
    private record WatchFailure(boolean isAbsence, boolean isRefusal, long since) {}

    /** Nothing is kept of an object for which the reader gives nothing. */
    ResourceCache(
            ResourceDefinitionContext kind,
            Function<GenericKubernetesResource, Optional<T>> reader,
            ProcessClock clock) {
        this(kind, "", "", reader, clock);
    }

    /**
     * Of one Namespace, and of that the objects with some labels.
     *
     * @param namespace the empty one stands for all
     * @param selector of labels; the empty one, too
     */
    ResourceCache(
            ResourceDefinitionContext kind,
            String namespace,
            String selector,
            Function<GenericKubernetesResource, Optional<T>> reader,
            ProcessClock clock) {
        this.kind = kind;
        this.namespace = namespace;
        this.selector = selector;
        this.reader = reader;
        this.clock = clock;
    }

    /** Returns at once; not to be called on the start's own thread all the same, because it reads certificates. */
    void start(KubernetesClient client) {
        start(client, Map.of());
    }

    /** Starts to watch one object alone, of a kind without Namespaces. */
    void startForOne(KubernetesClient client, String name) {
        start(client, Map.of("metadata.name", name));
    }

    private void start(KubernetesClient client, Map<String, String> fields) {
        var all = client.genericKubernetesResources(kind);
        var watching = (namespace.isEmpty() ? all.inAnyNamespace() : all.inNamespace(namespace))
                .withLabelSelector(selector)
                .withFields(fields)
                .withLimit(PAGE)
                .runnableInformer(0)
                .itemStore(new ReducedStateItemStore<>(
                        ReducedStateItemStore.NAME_KEY_STATE,
                        GenericKubernetesResource.class,
                        client.getKubernetesSerialization()));
        watching.addEventHandler(recorder());
        // without this the informer stops for good when its first list or watch fails
        watching.exceptionHandler((started, cause) -> {
            failed(cause);
            return true;
        });
        informer = watching;
        watching.start();
    }

    void stop() {
        var watching = informer;
        if (watching != null) {
            watching.stop();
        }
    }

    /** What is kept of one object, by its key: {@code namespace/name}, or the name where there is no Namespace. */
    Optional<T> get(String key) {
        return Optional.ofNullable(kept.get(key));
    }

    /** What is kept of each object, by its key. */
    Map<String, T> all() {
        return Map.copyOf(kept);
    }

    /** What is kept of all objects, if that is to be trusted. */
    Optional<List<T>> known() {
        return isKnown() ? Optional.of(List.copyOf(values())) : Optional.empty();
    }

    /** The number of objects of which something is kept. */
    int size() {
        return values().size();
    }

    private Collection<T> values() {
        var known = failure;
        return known != null && known.isAbsence() ? List.of() : kept.values();
    }

    /** Whether the first list was ever complete. */
    boolean hasSynced() {
        return listed;
    }

    boolean isKnown() {
        if (isWatching()) {
            return true;
        }
        var known = failure;
        return known == null
                ? listed
                : known.isAbsence()
                        || (listed && !known.isRefusal() && age(known).compareTo(GOOD_WITHOUT_WATCH) < 0);
    }

    /** Whether the first list is complete, or failed so that nobody knows when it will be. */
    boolean hasSyncedOrFailed() {
        return listed || failure != null;
    }

    /** How this cache stands, for people. */
    Watch.State state() {
        if (informer == null) {
            return Watch.State.OFF;
        }
        var known = failure;
        if (known != null && known.isAbsence()) {
            return Watch.State.ABSENT;
        }
        if (isKnown()) {
            return Watch.State.WATCHED;
        }
        return known == null ? Watch.State.STARTING : known.isRefusal() ? Watch.State.FORBIDDEN : Watch.State.LOST;
    }

    private boolean isWatching() {
        var watching = informer;
        return listed && watching != null && watching.isWatching();
    }

    private Duration age(WatchFailure known) {
        return Duration.ofNanos(clock.nanoTime() - known.since());
    }

    /** To be told of everything that happens to the objects. */
    ResourceEventHandler<GenericKubernetesResource> recorder() {
        return new Recorder();
    }

    /** To be told that listing or watching failed. */
    void failed(Throwable cause) {
        var status = status(cause);
        var before = failure;
        var now = new WatchFailure(
                status == HttpURLConnection.HTTP_NOT_FOUND,
                status == HttpURLConnection.HTTP_FORBIDDEN || status == HttpURLConnection.HTTP_UNAUTHORIZED,
                before == null ? clock.nanoTime() : before.since());
        failure = now;
        if (!now.equals(before)) {
            tell(now, cause);
        }
    }

    private void tell(WatchFailure now, Throwable cause) {
        if (now.isAbsence()) {
            LOG.infof("there are no %s in this cluster; they are looked for again and again", kind.getPlural());
        } else {
            LOG.warnf("watching %s failed, trying again: %s", kind.getPlural(), cause.getMessage());
        }
    }

    /** The HTTP status of a failure; 0 where there was no answer. */
    private static int status(Throwable thrown) {
        for (var cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof KubernetesClientException refused) {
                return refused.getCode();
            }
        }
        return 0;
    }

    private final class Recorder implements ResourceEventHandler<GenericKubernetesResource> {

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            listed = true;
            failure = null;
        }

        @Override
        public void onAdd(GenericKubernetesResource object) {
            reader.apply(object)
                    .ifPresentOrElse(
                            value -> kept.put(Cache.metaNamespaceKeyFunc(object), value),
                            () -> kept.remove(Cache.metaNamespaceKeyFunc(object)));
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            onAdd(after);
        }

        @Override
        public void onDelete(GenericKubernetesResource object, boolean finalStateUnknown) {
            kept.remove(Cache.metaNamespaceKeyFunc(object));
        }
    }
}
