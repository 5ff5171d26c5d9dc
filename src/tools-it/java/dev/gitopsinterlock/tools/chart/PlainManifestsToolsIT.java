package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.config.InterlockConfig;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code kubectl apply -k deploy} installs what the chart installs by default; only the settings that are the service's
 * own defaults are not written out. {@code -Dgolden.update=true} writes anew the files that come from the build and from
 * the chart; read the difference before committing it.
 */
@RequiresTools(definitions = "certmanager")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainManifestsToolsIT {

    private static final Path DEPLOY = Project.directory().resolve("deploy");

    private static final Path GENERATED = DEPLOY.resolve("generated.yaml");

    /** Who looks after an object. */
    private static final List<String> LABELS_THAT_DIFFER =
            List.of("app.kubernetes.io/managed-by", "app.kubernetes.io/version", "helm.sh/chart");

    /** Drawn by the API server. */
    private static final List<String> FIELDS_THAT_DIFFER =
            List.of("/metadata/uid", "/metadata/creationTimestamp", "/spec/clusterIP", "/spec/clusterIPs");

    /** Their order means nothing. */
    private static final List<String> LISTS_IN_ANOTHER_ORDER = List.of(
            "/rules", "/spec/ports", "/spec/template/spec/containers/0/env", "/spec/template/spec/containers/0/ports");

    /** Helm makes it by {@code --create-namespace}. */
    private static final String NOT_OF_THE_CHART = "Namespace/gitops-interlock";

    private final ControlPlane kubernetes = ControlPlane.start();
    private final Map<String, ObjectNode> plain;
    private final Map<String, ObjectNode> chart;

    PlainManifestsToolsIT() throws IOException {
        if (GoldenFiles.areWritten()) {
            for (var copy : ChartCopies.all().toList()) {
                Files.writeString(copy.file(), copy.text());
            }
            // ports have another order in every build
            if (!objects(Files.readString(GENERATED)).equals(objects(built()))) {
                Files.writeString(GENERATED, built());
            }
        }
        kubernetes.addDefinitionsOf("certmanager");
        kubernetes.createNamespace(Rendering.NAME);
        kubernetes
                .kubectl("label", "namespace", Rendering.NAME, "pod-security.kubernetes.io/warn=restricted")
                .orFail();
        plain = taken("-k", DEPLOY.toString());
        chart = taken("-f", kubernetes.file(Rendering.of().yaml()));
    }

    @AfterAll
    void end() {
        kubernetes.close();
    }

    private static String built() throws IOException {
        return Files.readString(Project.directory().resolve("target/kubernetes/kubernetes.yml"))
                .replaceFirst(
                        "^---\\n",
                        "# What the build makes of quarkus.kubernetes.* in application.properties; `make manifests` writes it anew.\n");
    }

    @Test
    void whatComesFromTheBuildIsUpToDate() throws IOException {
        assertThat(objects(Files.readString(GENERATED))).isNotEmpty().isEqualTo(objects(built()));
    }

    @Test
    void whatComesFromTheBuildDoesNotTellWhenWhereAndByWhom() throws IOException {
        assertThat(built())
                .doesNotContain("build-timestamp", "commit-id", "vcs-uri")
                .doesNotContain("/" + System.getProperty("user.name") + "/");
    }

    @Test
    void theObjectsAreThoseOfTheChart() {
        var expected = new TreeSet<>(chart.keySet());
        expected.add(NOT_OF_THE_CHART);

        assertThat(new TreeSet<>(plain.keySet())).isEqualTo(expected);
    }

    Set<String> names() {
        return new TreeSet<>(chart.keySet());
    }

    /** As the API server would store them, with its defaults. */
    @ParameterizedTest
    @MethodSource("names")
    void anObjectIsThatOfTheChart(String object) {
        assertThat(text(plain, object)).isEqualTo(text(chart, object));
    }

    /** The commands of deploy/README.md. Warnings would be about Pods that are not as restricted as they could be. */
    @ParameterizedTest
    @CsvSource({"--server-side=true, serverside-applied", "--server-side=false, created"})
    void itIsInstalledAndUninstalled(String way, String done) {
        var install = kubernetes.kubectl("apply", way, "-k", DEPLOY.toString()).orFail();

        assertThat(install.err()).isEmpty();
        assertThat(install.out().lines())
                .hasSize(plain.size())
                .allMatch(line -> line.endsWith(" " + done))
                .startsWith("namespace/gitops-interlock " + done)
                .endsWith(
                        "mutatingwebhookconfiguration.admissionregistration.k8s.io/zz-gitops-interlock " + done,
                        "validatingwebhookconfiguration.admissionregistration.k8s.io/gitops-interlock " + done);

        kubernetes
                .kubectl(
                        "delete",
                        "mutatingwebhookconfiguration/zz-gitops-interlock",
                        "validatingwebhookconfiguration/gitops-interlock")
                .orFail();
        kubernetes
                .kubectl("delete", "--ignore-not-found", "-k", DEPLOY.toString())
                .orFail();

        assertThat(kubernetes
                        .kubectl("get", "--ignore-not-found", "-k", DEPLOY.toString())
                        .text())
                .isEmpty();
    }

    /** The kustomization of deploy/README.md. */
    @Test
    void anImageAndASettingOfOnesOwn(@TempDir Path folder) throws IOException {
        var readme = ChartFiles.projectText("deploy/README.md");
        var kustomization = readme.substring(readme.indexOf("    # kustomization.yaml"))
                .lines()
                .takeWhile(line -> line.startsWith("    ") || line.isBlank())
                .map(line -> line.isBlank() ? line : line.substring(4))
                .collect(joining("\n"))
                .replace("../gitops-interlock/deploy", folder.relativize(DEPLOY).toString());
        Files.writeString(folder.resolve("kustomization.yaml"), kustomization);

        var container = new Rendering(kubernetes.kubectl("kustomize", folder.toString())).container();

        assertThat(container.path("image").asText()).isEqualTo("registry.example.com/gitops-interlock:1.0");
        assertThat(container.path("env").valueStream())
                .contains(Trees.json("{'name': 'GITOPS_INTERLOCK_MACHINE_CONFIGS_MAX_HOLD', 'value': '10m'}"));
    }

    /** What the API server would make of the objects, by kind and name, without what may differ. */
    private Map<String, ObjectNode> taken(String... where) {
        var command =
                Stream.concat(Stream.of("apply", "--server-side", "--dry-run=server", "-o", "json"), Stream.of(where));
        var answer = kubernetes.kubectl(command.toArray(String[]::new)).orFail();
        return Trees.json(answer.out().getBytes(StandardCharsets.UTF_8))
                .path("items")
                .valueStream()
                .map(ObjectNode.class::cast)
                .map(PlainManifestsToolsIT::comparable)
                .collect(toMap(
                        object -> object.path("kind").asText() + "/"
                                + object.at("/metadata/name").asText(),
                        object -> object));
    }

    private static String text(Map<String, ObjectNode> objects, String name) {
        var object = objects.get(name);
        return object == null ? "missing" : object.toPrettyString();
    }

    private static ObjectNode comparable(ObjectNode object) {
        if (object.at("/metadata/labels") instanceof ObjectNode labels) {
            labels.remove(LABELS_THAT_DIFFER);
        }
        for (var field : FIELDS_THAT_DIFFER) {
            var pointer = JsonPointer.compile(field);
            if (object.at(pointer.head()) instanceof ObjectNode parent) {
                parent.remove(pointer.last().getMatchingProperty());
            }
        }
        if (object.at("/spec/template/spec/containers/0/env") instanceof ArrayNode variables) {
            variables.removeIf(PlainManifestsToolsIT::isDefault);
        }
        return inOrder(object);
    }

    private static boolean isDefault(JsonNode variable) {
        return InterlockConfig.ALL.stream()
                .anyMatch(setting -> setting.variable()
                                .equals(variable.path("name").asText())
                        && setting.byDefault().equals(variable.path("value").asText()));
    }

    /** The objects of a YAML text. */
    private static List<String> objects(String yaml) {
        return Rendering.split(yaml)
                .map(Trees::fromYaml)
                .map(object -> inOrder(object).toPrettyString())
                .toList();
    }

    private static ObjectNode inOrder(ObjectNode object) {
        for (var pointer : LISTS_IN_ANOTHER_ORDER) {
            if (object.at(pointer) instanceof ArrayNode list) {
                var sorted = list.valueStream()
                        .sorted(Comparator.comparing(JsonNode::toString))
                        .toList();
                list.removeAll().addAll(sorted);
            }
        }
        return object;
    }
}
