package dev.gitopsinterlock.admission;

/**
 * A kind of the API, as requests name it.
 *
 * @param group of its API; empty for the core's
 * @param version of its API
 * @param kind {@code StatefulSet}
 * @param plural {@code statefulsets}
 */
public record ResourceType(String group, String version, String kind, String plural) {

    public static final ResourceType JOB = new ResourceType("batch", "v1", "Job", "jobs");
    public static final ResourceType STATEFUL_SET = new ResourceType("apps", "v1", "StatefulSet", "statefulsets");
    public static final ResourceType SECRET = new ResourceType("", "v1", "Secret", "secrets");
    public static final ResourceType EVENT = new ResourceType("events.k8s.io", "v1", "Event", "events");
    public static final ResourceType LEASE = new ResourceType("coordination.k8s.io", "v1", "Lease", "leases");

    /** As reviews name it: {@code apps/v1/StatefulSet}. */
    public String id() {
        return id(group, version, kind);
    }

    /** The name by which reviews know a kind: {@code apps/v1/StatefulSet}. */
    public static String id(String group, String version, String kind) {
        return group + "/" + version + "/" + kind;
    }

    /** The same kind in another version. */
    public ResourceType in(String other) {
        return new ResourceType(group, other, kind, plural);
    }

    /** As objects name it: {@code apps/v1}. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** The API path of all objects of this type in a Namespace; of all there are where that is empty. */
    public String path(String namespace) {
        var api = group.isEmpty() ? "/api/" : "/apis/";
        return api + apiVersion() + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + plural;
    }

    /** The API path of one object. */
    public String path(ObjectName object) {
        return path(object.namespace()) + "/" + object.name();
    }
}
