package dev.gitopsinterlock.system.stress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A few Jobs with every build, hundreds with {@code make stress}. */
@ExtendWith(Cluster.Extension.class)
class StressIT {

    private final Cluster cluster;
    private final int jobs = Integer.getInteger("stress.jobs", 4);

    StressIT(Cluster cluster) {
        this.cluster = cluster;
    }

    @Test
    void everyEditRunsItsJobOnceMore() throws IOException {
        var system = ManagementFactory.getOperatingSystemMXBean();
        var report = new StringBuilder(String.format(
                Locale.ROOT,
                "Kubernetes %s, %d Jobs a row, %d at a time, %d cores, load average before: %.2f%n%n%s",
                cluster.controlPlane().version(),
                jobs,
                Round.AT_A_TIME,
                system.getAvailableProcessors(),
                system.getSystemLoadAverage(),
                Figures.HEAD));
        var faults = new StringBuilder();
        var ours = new ArrayList<Figures>();
        for (var kind : Kind.JOBS) {
            for (var way : Way.values()) {
                var figures = new Round(cluster.controlPlane(), kind, way, jobs).run();
                System.out.print("stress: " + figures.row());
                report.append(figures.row());
                faults.append(figures.faults());
                if (way != Way.DELETE_AND_CREATE) {
                    ours.add(figures);
                }
            }
        }
        System.out.println(report);
        System.out.println(faults);
        var target = Files.createDirectories(Project.directory().resolve("target/stress"));
        Files.writeString(target.resolve(cluster.controlPlane().version() + ".md"), report.append(faults));
        assertThat(ours).allSatisfy(figures -> assertThat(figures.faults()).isEmpty());
    }
}
