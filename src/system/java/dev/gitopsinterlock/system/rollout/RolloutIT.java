package dev.gitopsinterlock.system.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A few runs with every build, a hundred with {@code make rollouts}; a fifth of them without us too. */
class RolloutIT {

    private final int runs = Integer.getInteger("rollout.runs", 6);

    /** Fewer: what happens without us is no secret. */
    private final int runsWithoutUs = Math.max(2, runs / 5);

    private final long firstSeed = Long.getLong("rollout.seed", 20260101);
    private final StringBuilder report = new StringBuilder();

    @Test
    void noNodeBeginsWithinASyncOrBesideAMarkedJobAndEveryRolloutEnds() throws IOException {
        try (var controlPlane = ControlPlane.start()) {
            var without = runs("without us", controlPlane, Optional.empty(), runsWithoutUs);
            List<Findings> with;
            try (var replicas = Replicas.in(controlPlane)) {
                with = runs("with us", controlPlane, Optional.of(replicas), runs);
            }
            var target = Files.createDirectories(Project.directory().resolve("target/rollouts"));
            Files.writeString(target.resolve(controlPlane.version() + ".md"), report);
            var disturbed =
                    without.stream().filter(run -> run.changesWithin() > 0).toList();
            assertThat(disturbed.stream().filter(run -> run.within() > 0).count() * 2)
                    .describedAs("runs without us in which a node begins within a sync, twice")
                    .isGreaterThan(disturbed.size());
            assertThat(without.stream().mapToInt(Findings::withinJobs).sum())
                    .describedAs("nodes that begin beside a marked Job without us")
                    .isPositive();
            assertThat(with).allSatisfy(run -> assertThat(run.faults()).isEmpty());
        }
    }

    private List<Findings> runs(String title, ControlPlane controlPlane, Optional<Replicas> replicas, int count) {
        say("%nKubernetes %s, %s, seeds %d to %d%n%n%s"
                .formatted(controlPlane.version(), title, firstSeed, firstSeed + count - 1, Findings.HEAD));
        var all = new ArrayList<Findings>();
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            System.out.println("rollouts: " + title + ", seed " + seed);
            var findings = new Run(controlPlane, replicas, seed).run();
            say(findings.row());
            findings.faults().forEach(fault -> say(fault + "\n"));
            all.add(findings);
        }
        say(Findings.sum(all));
        return all;
    }

    private void say(String text) {
        System.out.print(text);
        report.append(text);
    }
}
