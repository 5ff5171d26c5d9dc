package dev.gitopsinterlock.testing.change;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import dev.gitopsinterlock.check.Appliers;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.check.ManifestCheck;
import dev.gitopsinterlock.check.Pair;
import dev.gitopsinterlock.check.Pairing;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tool.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The objects of two consecutive releases, as they are rendered: of the kinds that have fixed fields.
 *
 * @param name of its file
 * @param facts where they come from
 * @param before objects of the older release, as it is installed
 * @param after those of the newer one, as {@code helm template}, and so Argo CD, renders it
 * @param upgraded the same as {@code helm upgrade} renders it, where names have the release's revision
 */
public record RealChange(
        String name, Facts facts, List<ObjectNode> before, List<ObjectNode> after, List<ObjectNode> upgraded) {

    private static final Manifests MANIFESTS = new Manifests(GuardedKinds.ALL);

    private static final Path FOLDER =
            Project.directory().resolve(System.getProperty("real-changes.folder", "src/test/resources/real-changes"));
    /** With quotes around every text: 8e41598 is a commit, and a number without them. */
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES));

    private static final List<String> HOOKS = List.of("helm.sh/hook", "argocd.argoproj.io/hook");

    /**
     * Where a change comes from.
     *
     * @param chart its name, or that of the manifests
     * @param from the older release
     * @param to the newer one
     * @param source repository and the two tags or commits
     * @param isChart whether Helm renders it; else it is for {@code kubectl apply}
     * @param issue where somebody met the refusal, as repository#number
     */
    public record Facts(String chart, String from, String to, String source, boolean isChart, Optional<String> issue) {}

    public RealChange {
        before = List.copyOf(before);
        after = List.copyOf(after);
        upgraded = List.copyOf(upgraded);
    }

    /** All of them, by their names. */
    public static List<RealChange> all() {
        try (var files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .map(RealChange::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one of a file. */
    public static RealChange read(Path file) {
        try {
            var tree = Trees.fromYaml(Files.readString(file));
            var after = objects(tree.path("after"));
            return new RealChange(
                    file.getFileName().toString().replaceFirst("\\.yaml$", ""),
                    new Facts(
                            tree.path("chart").asText(),
                            tree.path("from").asText(),
                            tree.path("to").asText(),
                            tree.path("source").asText(),
                            tree.path("isChart").asBoolean(),
                            Optional.of(tree.path("issue").asText()).filter(issue -> !issue.isEmpty())),
                    objects(tree.path("before")),
                    after,
                    tree.has("upgraded") ? objects(tree.path("upgraded")) : after);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    private static List<ObjectNode> objects(JsonNode list) {
        return list.valueStream().map(ObjectNode.class::cast).toList();
    }

    /** As a file. */
    public String text() {
        var tree = Trees.JSON.createObjectNode();
        tree.put("chart", facts.chart)
                .put("from", facts.from)
                .put("to", facts.to)
                .put("source", facts.source)
                .put("isChart", facts.isChart);
        facts.issue.ifPresent(issue -> tree.put("issue", issue));
        tree.putArray("before").addAll(before);
        tree.putArray("after").addAll(after);
        if (!upgraded.equals(after)) {
            tree.putArray("upgraded").addAll(upgraded);
        }
        return yaml(tree);
    }

    /** What a tool gets: Helm's own upgrade knows its revision, nobody else does. */
    public List<ObjectNode> after(Tool deployer) {
        return deployer == Tool.HELM ? upgraded : after;
    }

    /** What tells it from the others: {@code Job/migrate}. */
    public static String id(JsonNode object) {
        return object.path("kind").asText() + "/" + object.at("/metadata/name").asText();
    }

    /** The kind of one of its objects. */
    public static GuardedKind kind(JsonNode object) {
        return GuardedKinds.ALL.of(object).orElseThrow();
    }

    /**
     * The object for a cluster that has others: what is in no Namespace has the name of one before its own, and the mark
     * by which the service leaves it to Kubernetes.
     */
    public static ObjectNode placed(ObjectNode object, String namespace) {
        var placed = object.deepCopy();
        if (!kind(object).namespaced()) {
            var metadata = placed.withObject("/metadata");
            metadata.put("name", namespace + "-" + object.at("/metadata/name").asText());
            metadata.withObject("/annotations").put("gitops-interlock.dev/on-immutable-change", "Ignore");
        }
        return placed;
    }

    /** Manifests as a file has them. */
    public static String manifests(List<? extends JsonNode> objects) {
        return objects.stream().map(RealChange::yaml).collect(joining("---\n"));
    }

    /** By its mark, or as a binding, which Argo CD reconciles. */
    private static boolean isRecreated(JsonNode object) {
        return object.path("kind").asText().endsWith("RoleBinding")
                || object.at("/metadata/annotations/argocd.argoproj.io~1sync-options")
                        .asText()
                        .contains("Force=true");
    }

    private static String yaml(JsonNode tree) {
        try {
            return YAML.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a tool that knows hooks runs it instead of editing it. */
    public static boolean isHook(JsonNode object) {
        var annotations = object.path("metadata").path("annotations");
        return HOOKS.stream().anyMatch(annotations::has);
    }

    /** The tools to which it may go. */
    public List<Tool> deployers() {
        return facts.isChart ? List.of(Tool.HELM, Tool.ARGO_CD) : List.of(Tool.KUBECTL, Tool.ARGO_CD);
    }

    /** Which of the refused objects a tool would have edited: not the hooks that it knows, nor what Argo CD recreates. */
    public List<String> edited(List<String> refused, Tool deployer) {
        var others = after(deployer).stream()
                .filter(object -> (deployer != Tool.KUBECTL && isHook(object))
                        || (deployer == Tool.ARGO_CD && isRecreated(object)))
                .map(RealChange::id)
                .toList();
        return refused.stream().filter(object -> !others.contains(object)).toList();
    }

    /** The objects that a tool edits, as it knows both releases. */
    public List<String> differing(Tool deployer) {
        return edited(
                after(deployer).stream()
                        .filter(object -> before.stream()
                                .anyMatch(other -> id(other).equals(id(object)) && !other.equals(object)))
                        .map(RealChange::id)
                        .toList(),
                deployer);
    }

    /** What {@code check} finds of changed fields. */
    public List<Finding> check(Tool deployer) {
        var check = new ManifestCheck(
                GuardedKinds.ALL,
                Appliers.named(Optional.of(deployer), ""),
                Optional.empty(),
                PackagedPages.withoutAddress());
        return Pairing.of(parsed(before), parsed(after(deployer))).stream()
                .flatMap(pair -> found(check, pair))
                .toList();
    }

    private static Stream<Finding> found(ManifestCheck check, Pair pair) {
        return check.of(pair).open().stream()
                .filter(finding -> !finding.fields().isEmpty());
    }

    private static List<Manifest> parsed(List<ObjectNode> objects) {
        try {
            return MANIFESTS.in("change.yaml", "change.yaml", manifests(objects));
        } catch (MalformedYaml e) {
            throw new IllegalStateException(e);
        }
    }
}
