package dev.gitopsinterlock.job;

import java.util.Set;

/** The fields that the API server fills in by what other fields say, wherever in a Job they are. */
final class DefaultedFields {

    static final Set<String> NAMES =
            Set.of("podReplacementPolicy", "backoffLimit", "completions", "parallelism", "imagePullPolicy", "requests");

    private DefaultedFields() {}
}
