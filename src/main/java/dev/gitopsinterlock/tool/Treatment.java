package dev.gitopsinterlock.tool;

/**
 * What a tool does with an object that changed and is in the cluster already: only an edit can be refused.
 *
 * <p>Source: the tools' own code, as {@code docs/guidance} cites it; what of it was seen on the tools themselves is in
 * {@code docs/scenarios.md}.
 */
public enum Treatment {
    /** The tool sends the change to the API server. */
    EDITED,
    /** The tool sends the whole manifest to the API server. */
    PUT,
    /** The tool sends the change if the object of an earlier run is still there. */
    EDITED_IF_LEFT_OVER,
    /** The tool deletes the Job and creates it again, or does not touch it. */
    NOT_EDITED
}
