package dev.gitopsinterlock.admission;

/** The operation of an admission request, as the API spells it. */
public enum Operation {
    CREATE,
    UPDATE,
    DELETE,
    CONNECT
}
