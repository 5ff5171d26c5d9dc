package dev.gitopsinterlock.status;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one replica knows at one moment.
 *
 * @param now that moment
 * @param replica whose page it is
 * @param installed what holds for edits and rollouts
 * @param replacement whether edits are carried out
 * @param certificate that serves
 * @param cluster what is watched
 * @param rollouts that wait, would wait, or went on lately, in the order of {@link HeldRollout#in}
 * @param reviews that were answered
 */
public record Facts(
        Instant now,
        Replica replica,
        InstalledPolicy installed,
        ReplacementState replacement,
        Certificate certificate,
        Cluster cluster,
        List<HeldRollout> rollouts,
        RecentReviews.Snapshot reviews) {

    public Facts {
        rollouts = List.copyOf(rollouts);
    }

    /**
     * One replica.
     *
     * @param name of its Pod, or of the machine
     * @param namespace that it is in
     * @param started when
     */
    public record Replica(String name, String namespace, String version, Instant started) {}

    /**
     * Whether edits are carried out.
     *
     * @param isWanted whether the settings say so
     * @param isOn whether it is so
     * @param words how, or why not
     * @param isProven whether the API server proves that it is the one who calls
     */
    public record ReplacementState(boolean isWanted, boolean isOn, String words, boolean isProven) {}

    /**
     * The certificate that serves.
     *
     * @param source where it comes from
     * @param complaint why a newer one is not served; empty when all is well
     */
    public record Certificate(
            String source, String serial, Instant notBefore, Instant notAfter, Optional<String> complaint) {}

    /**
     * What is watched.
     *
     * @param caches each of them
     * @param namespaces annotations of ours, by Namespace; only of those that have any
     * @param isBreakGlassOn whether everything but plain answers is switched off
     */
    public record Cluster(List<Watch> caches, Map<String, Map<String, String>> namespaces, boolean isBreakGlassOn) {}

    /**
     * What is kept of all objects of one kind.
     *
     * @param plural name of the kind
     * @param kept of how many objects something is kept
     */
    public record Watch(String plural, State state, int kept) {

        /** How a cache stands. */
        public enum State {
            /** Nothing is watched, because nobody needs it. */
            OFF,
            /** The kind has not been listed yet. */
            STARTING,
            /** The cache is kept up to date. */
            WATCHED,
            /** The cluster has no such kind. */
            ABSENT,
            /** We may not look. */
            FORBIDDEN,
            /** Nothing new is learnt: the API server does not answer. */
            LOST
        }
    }
}
