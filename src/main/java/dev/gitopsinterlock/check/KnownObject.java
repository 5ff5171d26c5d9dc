package dev.gitopsinterlock.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.ManifestRules.State;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the object that a change meets.
 *
 * @param live as the API server has it, or would have it
 * @param manifest that it was made from, as far as that is known: what is in neither manifest is the API server's, or
 *     somebody else's, and stays
 * @param states that it can be in, the one that lets least pass first
 */
record KnownObject(JsonNode live, JsonNode manifest, List<State> states) {

    KnownObject {
        states = List.copyOf(states);
    }

    /** By a manifest alone. */
    static KnownObject ofManifest(GuardedKind kind, JsonNode manifest, Optional<KubernetesVersion> version) {
        return new KnownObject(
                kind.manifests().stored(manifest), manifest, kind.manifests().states(manifest, version));
    }

    /**
     * Of the cluster.
     *
     * @param manifest as a client-side apply left it on the object; a missing node where there is none
     */
    static KnownObject ofCluster(
            GuardedKind kind, JsonNode live, JsonNode manifest, Optional<KubernetesVersion> version) {
        return new KnownObject(
                live, manifest, List.of(new State(kind.manifests().judgement(version), "")));
    }
}
