package dev.gitopsinterlock.tools.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.change.RealAnswers;
import dev.gitopsinterlock.testing.change.RealChange;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Texts;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real Helm upgrades the objects of one release to those of the next, each in a chart of its own. {@code real-changes.helm}
 * is how many of the changes; they are spread evenly.
 */
@ExtendWith(Cluster.Extension.class)
class RealChangesToolsIT {

    private static final int IN_CI = 12;
    private static final Pattern REFUSED =
            Pattern.compile("([A-Z][A-Za-z]+)(?:\\.[a-z0-9.]+)? \"([^\"]+)\" is invalid");

    private final Cluster cluster;
    private final Path home;

    RealChangesToolsIT(Cluster cluster, @TempDir Path home) {
        this.cluster = cluster;
        this.home = home;
    }

    @ParameterizedTest
    @EnumSource
    void helmSaysWhatIsRecorded(Helm helm) {
        var answers = new ConcurrentSkipListMap<String, List<String>>();
        changes().parallel().forEach(change -> answers.put(change.name(), refused(helm, change)));

        (helm == Helm.HELM_3 ? RealAnswers.HELM_3 : RealAnswers.HELM_4).compare(answers);
    }

    private static Stream<RealChange> changes() {
        var charts = RealChange.all().stream()
                .filter(change -> change.facts().isChart())
                .toList();
        var some = Math.min(charts.size(), Integer.getInteger("real-changes.helm", IN_CI));
        return Stream.iterate(0, i -> i + 1).limit(some).map(i -> charts.get(i * charts.size() / some));
    }

    private List<String> refused(Helm helm, RealChange change) {
        // without the service's words, which take the place of those of Kubernetes
        var shop = Workspace.in(cluster.controlPlane(), "helm-change");
        shop.onImmutableChange("Ignore");
        var folder = home.resolve(helm.name()).resolve(change.name());
        var chart = folder.resolve("chart");
        Texts.write(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: change\nversion: 1.0.0\n");
        Texts.write(chart.resolve("templates/objects.yaml"), manifests(change.before(), shop));
        helm.run(shop, folder, "install", "change", chart.toString()).orFail();

        Texts.write(chart.resolve("templates/objects.yaml"), manifests(change.upgraded(), shop));
        var answer = helm.run(shop, folder, "upgrade", "change", chart.toString());

        if (change.before().stream().anyMatch(object -> !RealChange.kind(object).namespaced())) {
            helm.run(shop, folder, "uninstall", "change").orFail();
        }
        return refused(answer, shop.namespace());
    }

    private static String manifests(List<ObjectNode> objects, Workspace shop) {
        return RealChange.manifests(objects.stream()
                .map(object -> RealChange.placed(object, shop.namespace()))
                .toList());
    }

    private static List<String> refused(Command.Result upgrade, String namespace) {
        var refused = REFUSED.matcher(upgrade.err())
                .results()
                .map(match -> match.group(1) + "/" + match.group(2).replaceFirst("^" + namespace + "-", ""))
                .distinct()
                .sorted()
                .toList();
        assertThat(upgrade.exitCode() == 0).as(upgrade.text()).isEqualTo(refused.isEmpty());
        return refused;
    }
}
