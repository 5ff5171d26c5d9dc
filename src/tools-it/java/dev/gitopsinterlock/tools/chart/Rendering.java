package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What a Helm made of the chart, or why it refused to.
 *
 * @param answer what it printed
 */
record Rendering(Command.Result answer) {

    /** Release and Namespace. */
    static final String NAME = "gitops-interlock";

    /** Of the cluster, where the values do not say another one as {@code --kube-version=...}. */
    private static final String KUBERNETES = "--kube-version=1.37.2";

    /** Nobody else names one; the values can. */
    private static final String IMAGE = "image.repository=registry.invalid/gitops-interlock";

    /** By Helm and flags: many tests look at the same, and the chart does not change meanwhile. */
    private static final Map<List<?>, Rendering> MADE = new ConcurrentHashMap<>();

    /** With values as {@code --set} takes them, and further flags; without what only {@code helm test} and hooks make. */
    static Rendering of(String... values) {
        return by(Helm.HELM_4, List.of(values));
    }

    static Rendering by(Helm helm, List<String> values) {
        return by(helm, values, Stream.of("--no-hooks"));
    }

    /** With that. */
    static Rendering whole(Helm helm, List<String> values) {
        return by(helm, values, Stream.empty());
    }

    private static Rendering by(Helm helm, List<String> values, Stream<String> further) {
        var flags = Stream.concat(Stream.concat(Stream.of(KUBERNETES), further), flags(values).stream())
                .toList();
        return MADE.computeIfAbsent(
                List.of(helm, flags), made -> new Rendering(helm.template(ChartFiles.FOLDER, NAME, flags)));
    }

    /** As Helm takes them, with an image that the values can override. */
    static List<String> flags(List<String> values) {
        return Stream.concat(Stream.of(IMAGE), values.stream())
                .flatMap(value -> value.startsWith("--") ? Stream.of(value) : Stream.of("--set", value))
                .toList();
    }

    String yaml() {
        return answer.orFail().out();
    }

    /** The objects as they are written; each Helm has an order and blank lines of its own. */
    List<String> documents() {
        return split(yaml())
                .map(String::strip)
                .filter(document -> !document.isEmpty())
                .sorted()
                .toList();
    }

    /** The documents of a YAML text, as they are written and in their order. */
    static Stream<String> split(String yaml) {
        return Arrays.stream(yaml.split("(?m)^---$", -1));
    }

    /** A document without the marks that Helm and the chart put on what they look after. */
    static String withoutHelm(String document) {
        return document.lines()
                        .filter(line -> !line.startsWith("#") && !line.isBlank())
                        .filter(line -> !line.matches(
                                " {4}(helm\\.sh/chart|app\\.kubernetes\\.io/(managed-by|version|instance)): .*"))
                        .collect(joining("\n"))
                + "\n";
    }

    List<JsonNode> objects() {
        return documents().stream().<JsonNode>map(Trees::fromYaml).toList();
    }

    List<JsonNode> objects(String kind) {
        return objects().stream()
                .filter(object -> object.path("kind").asText().equals(kind))
                .toList();
    }

    /** The one of its kind. */
    JsonNode object(String kind) {
        var all = objects(kind);
        if (all.size() != 1) {
            throw new AssertionError(all.size() + " of kind " + kind);
        }
        return all.getFirst();
    }

    /** Of all roles. */
    List<JsonNode> rules() {
        return objects("ClusterRole").stream()
                .flatMap(role -> role.path("rules").valueStream())
                .toList();
    }

    /** Roles and bindings, roles first. */
    List<JsonNode> rights() {
        return Stream.of("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
                .flatMap(kind -> objects(kind).stream())
                .toList();
    }

    JsonNode pod() {
        return object("Deployment").at("/spec/template/spec");
    }

    JsonNode container() {
        return pod().at("/containers/0");
    }

    /** The webhooks of both registrations. */
    List<JsonNode> webhooks() {
        return Stream.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
                .flatMap(kind -> objects(kind).stream())
                .flatMap(registration -> registration.path("webhooks").valueStream())
                .toList();
    }

    List<String> webhookNames() {
        return webhooks().stream().map(webhook -> webhook.path("name").asText()).toList();
    }
}
