package dev.gitopsinterlock.admission;

/**
 * Something to say beside an answer, whether or not the request is allowed. Clients show it as a warning. Each feature
 * has warnings of its own.
 */
public interface Warning {

    /** In characters. Kubernetes asks for as much at most, and clients cut what is longer. */
    int MAX_LENGTH = 120;

    /** One line of at most {@value #MAX_LENGTH} characters, without values of the object. */
    String text(GuidancePages pages);
}
