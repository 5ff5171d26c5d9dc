package dev.gitopsinterlock.policy;

import java.util.Map;

/** Our annotations on Namespaces, from memory. Any thread may ask. */
public interface Namespaces {
    /** Our annotations of a Namespace; empty where it has none or is not known. */
    Map<String, String> of(String namespace);

    /** Whether what is not there is really not there. */
    boolean isKnown();
}
