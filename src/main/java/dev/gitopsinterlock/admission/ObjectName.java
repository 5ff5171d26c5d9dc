package dev.gitopsinterlock.admission;

/** Namespace, empty where it is in none, and name of an object; names are not secrets and may appear in every output. */
public record ObjectName(String namespace, String name) {

    /** {@code namespace/name}, or the name alone, as people write it. */
    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
