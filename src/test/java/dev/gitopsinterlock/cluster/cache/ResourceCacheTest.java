package dev.gitopsinterlock.cluster.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.cluster.api.FakeClock;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is known of a kind, after all that may happen to its list and its watch. */
class ResourceCacheTest {

    private final FakeClock clock = new FakeClock();
    private final ResourceCache<String> cache = new ResourceCache<>(
            new ResourceDefinitionContext.Builder()
                    .withVersion("v1")
                    .withKind("Namespace")
                    .withPlural("namespaces")
                    .build(),
            object -> Optional.ofNullable(object.getMetadata().getLabels().get("keep")),
            clock);

    @Test
    void beforeTheFirstListNothingIsKnown() {
        assertThat(cache.known()).isEmpty();
        assertThat(cache.hasSynced()).isFalse();
        assertThat(cache.hasSyncedOrFailed()).isFalse();
    }

    @Test
    void onlyWhatTheReaderGivesIsKept() {
        cache.recorder().onAdd(object("shop", "a"));
        cache.recorder().onAdd(object("blog"));
        listed();

        assertThat(cache.known()).hasValue(List.of("a"));
        assertThat(cache.get("shop")).hasValue("a");
        assertThat(cache.get("blog")).isEmpty();
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void anUpdateAndADeletionAreFollowed() {
        listed();
        cache.recorder().onAdd(object("shop", "a"));
        cache.recorder().onUpdate(object("shop", "a"), object("shop", "b"));
        assertThat(cache.get("shop")).hasValue("b");

        cache.recorder().onUpdate(object("shop", "b"), object("shop"));
        assertThat(cache.get("shop")).isEmpty();

        cache.recorder().onAdd(object("shop", "c"));
        cache.recorder().onDelete(object("shop", "c"), true);
        assertThat(cache.known()).hasValue(List.of());
    }

    @Test
    void aKindThatDoesNotExistHasNoObjects() {
        cache.recorder().onAdd(object("shop", "a"));
        cache.failed(status(404));

        assertThat(cache.known()).as("even where there were some").hasValue(List.of());
        assertThat(cache.hasSyncedOrFailed()).isTrue();
        assertThat(cache.hasSynced()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403})
    void whoMayNotLookKnowsNothingAtOnce(int status) {
        listed();
        cache.failed(status(status));

        assertThat(cache.known()).isEmpty();
        assertThat(cache.hasSyncedOrFailed()).isTrue();
    }

    @Test
    void whatAWatchKnewIsGoodForAMinuteWithoutIt() {
        listed();
        cache.failed(new IOException("reset"));
        clock.pass(Duration.ofSeconds(59));
        assertThat(cache.known()).hasValue(List.of());

        cache.failed(status(500));
        clock.pass(Duration.ofSeconds(1));
        assertThat(cache.known())
                .as("a minute since the first failure in a row")
                .isEmpty();
    }

    @Test
    void aFailureBeforeTheFirstListIsNotKnowledge() {
        cache.failed(new IllegalStateException("of anything", new IOException("reset")));

        assertThat(cache.known()).isEmpty();
        assertThat(cache.hasSyncedOrFailed()).isTrue();
    }

    @Test
    void theNextListEndsTheFailure() {
        cache.failed(status(403));
        listed();

        assertThat(cache.known()).hasValue(List.of());
        clock.pass(Duration.ofHours(1));
        assertThat(cache.known()).hasValue(List.of());
    }

    private void listed() {
        cache.recorder().onList("1", false);
    }

    private static Exception status(int code) {
        return new IllegalStateException("list failed", new KubernetesClientException("refused", code, null));
    }

    private static GenericKubernetesResource object(String name, String... kept) {
        var metadata = new ObjectMetaBuilder().withName(name);
        for (var value : kept) {
            metadata.addToLabels("keep", value);
        }
        var object = new GenericKubernetesResource();
        object.setMetadata(metadata.build());
        return object;
    }
}
