package dev.gitopsinterlock.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which Applications have forgotten a comparison that failed. */
class FailedComparisonsTest {

    /** Whatever an API server would take; it is not asked. */
    @ParameterizedTest
    @ValueSource(strings = {"shop", "shop.", "map[shop]", "a b", "shop\n", " shop"})
    void findsAnApplicationOfAnyName(String name) {
        var application = Trees.fromYaml("{metadata: {namespace: argocd}, status: {sync: {status: Synced}}}");
        Trees.set(application, "/metadata/name", Trees.JSON.getNodeFactory().textNode(name));
        var event = Trees.fromYaml(
                "{regarding: {kind: Application, namespace: argocd}, eventTime: '2026-11-21T12:00:00.000000Z', note: 'Updated sync status: Synced -> Unknown'}");
        Trees.set(event, "/regarding/name", Trees.JSON.getNodeFactory().textNode(name));
        var comparisons = new FailedComparisons();
        comparisons.see(event);

        assertThat(comparisons.forgottenBy(application)).isPresent();
    }
}
