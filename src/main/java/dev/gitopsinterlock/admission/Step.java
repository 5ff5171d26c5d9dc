package dev.gitopsinterlock.admission;

/**
 * A rule's first word about a request, from memory alone.
 *
 * @param <Q> what it may have to ask the cluster
 */
public sealed interface Step<Q> {

    /** Nothing else is needed. */
    record Answered<Q>(Decision decision) implements Step<Q> {}

    /** The cluster has to be asked first, or something has to be done in it; what comes of it decides. */
    record Ask<Q>(Q question) implements Step<Q> {}

    static <Q> Step<Q> answered(Decision decision) {
        return new Answered<>(decision);
    }
}
