package dev.gitopsinterlock.it.transport;

import static dev.gitopsinterlock.testing.text.Manifests.plain;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the service itself shows of its metrics, after an edit was refused and another one carried out. */
@ExtendWith(Cluster.Extension.class)
class MetricsIT {

    private static final Pattern NAME = Pattern.compile("\\bgitops_interlock_[a-z_]*[a-z]\\b(?!:)");

    /** There only where the service keeps its certificate itself; an alert about it fires in AlertsToolsIT. */
    private static final String SELF_MANAGED = "gitops_interlock_webhook_configurations_outdated";

    /** There only on a hub; HubIT looks at them. */
    private static final String OF_A_HUB = "gitops_interlock_hub_";

    private static final int EDITS = 4;

    private final Interlock interlock;
    private final Workspace shop;
    private final Workspace desk;
    private final Workspace watched;

    MetricsIT(Cluster cluster) {
        interlock = cluster.interlock();
        shop = Workspace.in(cluster.controlPlane(), "metrics");
        desk = Workspace.in(cluster.controlPlane(), "metrics");
        watched = Workspace.in(cluster.controlPlane(), "metrics");
    }

    @BeforeEach
    void jobs() {
        desk.onImmutableChange("Replace");
        watched.onImmutableChange("Preview");
        for (var workspace : new Workspace[] {shop, desk, watched}) {
            workspace.apply(plain("migrate", "1.0"));
            workspace.awaitComplete("migrate");
        }
        edits("first");
    }

    @Test
    void everyMetricThatAlertsDashboardAndDocsNameIsThere() throws IOException {
        var named = named();
        var shown = interlock
                .metrics()
                .lines()
                .map(line -> line.replaceFirst("^# (TYPE|HELP) ", "").replaceFirst("[{ ].*", ""))
                .collect(toCollection(TreeSet::new));

        assertThat(named).hasSizeGreaterThan(25).contains("gitops_interlock_objects_gone_total", SELF_MANAGED);
        assertThat(named)
                .filteredOn(name -> !name.equals(SELF_MANAGED) && !name.startsWith(OF_A_HUB))
                .isSubsetOf(shown);
    }

    /** Whoever edits what, and by which program: what comes later adds nothing to what the first edits made. */
    @Test
    void noNameOfAnybodyOrAnythingIsALabel() {
        var before = series();
        for (int edit = 0; edit < EDITS; edit++) {
            edits("another-" + edit);
        }

        assertThat(series()).isEqualTo(before).noneMatch(one -> one.contains("another-"));
    }

    /** One is refused, one would be carried out, one is previewed, and a new Job would be made: by another user each, with another program. */
    private void edits(String name) {
        var image = "[{\"op\":\"replace\",\"path\":\"/spec/template/spec/containers/0/image\",\"value\":\"%s\"}]"
                .formatted(name);
        for (var workspace : new Workspace[] {shop, desk, watched}) {
            workspace.kubectl(
                    "patch",
                    "job",
                    "migrate",
                    "--type=json",
                    "--dry-run=server",
                    "--as=" + name,
                    "--as-group=testbed:cluster-admins",
                    "--field-manager=" + name,
                    "-p",
                    image);
        }
        shop.kubectl(
                        "create",
                        "job",
                        name,
                        "--image=" + name,
                        "--dry-run=server",
                        "--field-manager=" + name,
                        "--as=" + name,
                        "--as-group=testbed:cluster-admins")
                .orFail();
    }

    /** Without their values, and without those of the JVM and of the client, which have nothing to do with edits. */
    private Set<String> series() {
        return interlock
                .metrics()
                .lines()
                .filter(line -> line.startsWith("gitops_interlock_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .collect(toCollection(TreeSet::new));
    }

    private static Set<String> named() throws IOException {
        var project = Project.directory();
        try (var docs = Files.walk(project.resolve("docs"));
                var chart = Files.walk(project.resolve("helm"))) {
            return Stream.of(docs, chart, Stream.of(project.resolve("README.md")))
                    .flatMap(files -> files)
                    .filter(file -> file.toString().matches(".*\\.(md|yaml|tpl|json)"))
                    .flatMap(file -> NAME.matcher(text(file)).results())
                    .map(match -> match.group())
                    .collect(toCollection(TreeSet::new));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
