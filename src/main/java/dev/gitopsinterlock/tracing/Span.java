package dev.gitopsinterlock.tracing;

/** A stretch of time of a review that somebody follows. Thread-safe. */
public interface Span {

    /** Says more about it: a token or a name, never a value of an object. */
    void note(String key, String value);

    /** Did not end as it should. */
    void failed();

    /** A span that begins now, within this one. */
    Span begin(String name);

    /** A span that begins now, within this one, and waits for an answer of somebody else's. */
    Span beginCall(String name);

    /** What tells the one who is called that the call belongs here: the value of header {@link Tracing#HEADER}. */
    String header();

    /** Nothing is said about it any more. */
    void end();
}
