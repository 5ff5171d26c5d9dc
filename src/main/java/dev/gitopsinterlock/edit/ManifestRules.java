package dev.gitopsinterlock.edit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Treatment;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of manifests of a kind, for whoever wants to know before anything is sent: what the API server makes of
 * them, and what they leave open. Pure; changes no tree that it is given.
 */
public interface ManifestRules {

    /**
     * A state that the live object may be in.
     *
     * @param judgement of a difference in it
     * @param words in which an edit passes that is refused in stricter ones: {@code the claim is bound}
     * @param usual whether nearly every object is in this state
     */
    record State(Judgement judgement, String words, boolean usual) {

        /** One that is as likely as others. */
        public State(Judgement judgement, String words) {
            this(judgement, words, false);
        }
    }

    /** The object that is stored for a manifest. */
    ObjectNode stored(JsonNode manifest);

    /**
     * The states that an object may be in of which there is a manifest and nobody has looked, the one that lets least pass
     * first.
     *
     * @param version of the API server; empty if any supported one counts
     */
    List<State> states(JsonNode manifest, Optional<KubernetesVersion> version);

    /** What becomes of differences from a live object that is known; the version as above. */
    Judgement judgement(Optional<KubernetesVersion> version);

    /** Whether it depends on the API server's version what can be changed, so that a person who names it learns more. */
    default boolean dependsOnVersion() {
        return false;
    }

    /** Whether a manifest is more than a fragment. */
    default boolean isComplete(JsonNode manifest) {
        return true;
    }

    /** A manifest of any version of the API as the one has it that the rules know. */
    default JsonNode converted(JsonNode manifest) {
        return manifest;
    }

    /** A manifest without what the API server of this version drops in silence. */
    default JsonNode accepted(JsonNode manifest, KubernetesVersion version) {
        return manifest;
    }

    /**
     * What is stored when a tool patches a live object to what a new manifest says.
     *
     * @param base manifest that the live object was made from; a missing node where it is not known
     * @param method of the tool
     */
    default ObjectNode patched(JsonNode live, JsonNode base, JsonNode target, Method method) {
        var merged = stored(target);
        MergedManifest.keep(merged, target, live, base);
        return merged;
    }

    /** The edit as a tool sends it: what a PUT leaves out, what a patch cannot take away. */
    default Change sent(Change edit, Treatment treatment) {
        return edit;
    }

    /** The object as submitted, with what the API server or others put back. */
    default JsonNode repaired(JsonNode live, JsonNode submitted) {
        return submitted;
    }

    /** What is to be said about an object that is created, whatever becomes of it later. */
    default List<Warning> mistakes(Change creation) {
        return List.of();
    }

    /** Labels and annotations that cannot change and yet do so with each version; none where every version makes a new object. */
    default List<FieldPath> fixedVersions(JsonNode manifest) {
        return List.of();
    }

    /** The change that comes most often and is refused; empty where there is none, and live objects need not be looked at. */
    default Optional<NextChange> nextChange() {
        return Optional.empty();
    }
}
