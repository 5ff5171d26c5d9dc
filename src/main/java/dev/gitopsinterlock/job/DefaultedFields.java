package dev.gitopsinterlock.job;

import java.util.Set;

/** The fields that the API server fills in by what other fields say, wherever in a Job they are. */
public final class DefaultedFields {

    public static final Set<String> NAMES =
            Set.of("podReplacementPolicy", "backoffLimit", "completions", "parallelism", "imagePullPolicy", "requests");

    private DefaultedFields() {}
}
