package dev.gitopsinterlock.admission;

/**
 * One object of the cluster.
 *
 * @param namespace empty for an object that is in none
 */
public record ObjectReference(String apiVersion, String kind, String namespace, String name, String uid) {}
