package dev.gitopsinterlock.system.atlas;

import dev.gitopsinterlock.job.JobCases;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.kinds.KindCases;
import java.util.List;
import java.util.stream.Stream;

/**
 * A kind and its table.
 *
 * @param apiVersion as in manifests: {@code apps/v1}
 * @param resource in URLs: {@code statefulsets}
 */
record AtlasKind(String apiVersion, String name, String resource, boolean namespaced, List<TableRow> rows) {

    AtlasKind {
        rows = List.copyOf(rows);
    }

    /** Job, then the others in the order of the docs. */
    static List<AtlasKind> all() {
        return Stream.concat(
                        Stream.of(new AtlasKind("batch/v1", "Job", "jobs", true, JobCases.rows())),
                        GuardedKinds.BESIDE_JOB.stream()
                                .map(kind -> new AtlasKind(
                                        kind.type().apiVersion(),
                                        kind.name(),
                                        kind.plural(),
                                        kind.namespaced(),
                                        KindCases.rows(kind))))
                .toList();
    }
}
