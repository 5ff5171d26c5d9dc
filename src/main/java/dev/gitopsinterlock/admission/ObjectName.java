package dev.gitopsinterlock.admission;

/** Namespace and name of an object; names are not secrets and may appear in every output. */
public record ObjectName(String namespace, String name) {

    /** {@code namespace/name}, as people write it. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
