package dev.gitopsinterlock.admission;

/**
 * Who sent a review, as far as the connection proves it. A review itself proves nothing: whoever reaches the port can
 * write any requester, any old object and any Namespace into one.
 */
public sealed interface Caller {

    /**
     * The API server: it showed a client certificate that is let in, or knew the caller token. Whatever is done in the
     * cluster because of a review asks for one of these; only the place that authenticates callers makes them.
     */
    record ApiServer() implements Caller {}

    /** Nobody can prove anything, because neither client certificates nor a caller token are configured. */
    record AuthenticationDisabled() implements Caller {}

    /** A caller token is configured, and this caller did not know it. */
    record Unauthenticated() implements Caller {}
}
