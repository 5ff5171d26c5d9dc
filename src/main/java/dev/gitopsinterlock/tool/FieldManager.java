package dev.gitopsinterlock.tool;

/**
 * The field manager that a request wrote with.
 *
 * @param name empty where it cannot be told
 * @param method how it wrote
 */
public record FieldManager(String name, Method method) {

    /** What the service itself writes with. */
    public static final String OWN = "gitops-interlock";

    public static final FieldManager UNKNOWN = new FieldManager("", Method.UNKNOWN);

    /** The operation of the managedFields entry. */
    public enum Method {
        /** Server-side apply. */
        APPLY,
        /** Everything else: client-side apply, PUT, the other patches. */
        UPDATE,
        UNKNOWN
    }
}
