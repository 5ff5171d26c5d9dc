package dev.gitopsinterlock.tool;

/**
 * What a tool does with a Job that changed and is in the cluster already: only an edit can be refused.
 *
 * <p>Source: the tools' own code, as {@code docs/guidance} cites it; what of it was seen on the tools themselves is in
 * {@code docs/scenarios.md}.
 */
public enum Treatment {
    /** It sends the change to the API server. */
    EDITED,
    /** The same, as a whole manifest. */
    PUT,
    /** It does so if the Job of an earlier run is still there. */
    EDITED_IF_LEFT_OVER,
    /** It deletes the Job and creates it again, or leaves it alone. */
    NOT_EDITED
}
