package dev.gitopsinterlock.system.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.run.Parallel;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A few runs with every build, many with {@code make rollouts}; some of them without us too. */
class RolloutIT {

    private final int runs = Integer.getInteger("rollout.runs", 2);

    /** Fewer: what happens without us is no secret. */
    private final int runsWithoutUs = Math.clamp(runs / 5, 2, 50);

    private final long firstSeed = Long.getLong("rollout.seed", 20260101);

    /** Control planes beside each other, among which the runs are divided: most of a run is waiting. */
    private final int atOnce = Integer.getInteger("rollout.at-once", 2);

    private final List<Findings> without = Collections.synchronizedList(new ArrayList<>());
    private final List<Findings> with = Collections.synchronizedList(new ArrayList<>());
    private volatile String version = "unknown";

    @Test
    void noNodeBeginsWithinASyncOrBesideAMarkedJobAndEveryRolloutEnds() throws IOException {
        try {
            Parallel.run(atOnce, atOnce, this::runShare);
        } finally {
            report();
        }
        var disturbed = without.stream().filter(run -> run.changesWithin() > 0).toList();
        assertThat(disturbed.stream().filter(run -> run.within() > 0).count() * 2)
                .describedAs("runs without us in which a node begins within a sync, twice")
                .isGreaterThan(disturbed.size());
        assertThat(without.stream().mapToInt(Findings::withinJobs).sum())
                .describedAs("nodes that begin beside a marked Job without us")
                .isPositive();
        assertThat(with)
                .hasSize(runs)
                .allSatisfy(run -> assertThat(run.faults()).isEmpty());
    }

    /** In a control plane of its own, the seeds that a lane has, first without us. */
    private void runShare(int lane) {
        try (var controlPlane = ControlPlane.start()) {
            version = controlPlane.version();
            for (int run = lane; run < runsWithoutUs; run += atOnce) {
                without.add(new Run(controlPlane, Optional.empty(), firstSeed + run).run());
                System.out.print("without us: " + without.getLast().row());
            }
            try (var replicas = Replicas.in(controlPlane)) {
                for (int run = lane; run < runs; run += atOnce) {
                    with.add(new Run(controlPlane, Optional.of(replicas), firstSeed + run).run());
                    System.out.print("with us: " + with.getLast().row());
                    with.getLast().faults().forEach(System.out::println);
                }
            }
        }
    }

    private void report() throws IOException {
        var text = table("without us", without) + table("with us", with);
        System.out.print(text);
        var target = Files.createDirectories(Project.directory().resolve("target/rollouts"));
        Files.writeString(target.resolve(version + ".md"), text);
    }

    private String table(String title, List<Findings> runs) {
        var bySeed =
                runs.stream().sorted(Comparator.comparingLong(Findings::seed)).toList();
        var text = new StringBuilder("%nKubernetes %s, %s%n%n%s".formatted(version, title, Findings.HEAD));
        bySeed.forEach(run -> text.append(run.row()));
        bySeed.forEach(run -> run.faults().forEach(fault -> text.append(fault).append('\n')));
        return text.append(Findings.sum(bySeed)).toString();
    }
}
