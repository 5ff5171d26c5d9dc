package dev.gitopsinterlock.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cli.cluster.ApiServer;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** An API server that knows what is written in a file, and what a case says is different. */
final class WrittenCluster implements ApiServer {

    private static final Pattern PATH =
            Pattern.compile("/apis?/(?:[^/]+/)?v1(?:alpha1)?(?:/namespaces/([^/]+))?/([a-z]+)(?:/([^/]+))?");

    private final ObjectNode settings;
    private final List<ObjectNode> objects = new ArrayList<>();

    WrittenCluster(Path folder) throws IOException {
        var text = Files.readString(folder.resolveSibling("cluster.yaml"));
        settings = Trees.fromYaml(text);
        settings.setAll(Trees.fromYaml(Files.readString(folder.resolve("change.yaml"))));
        for (var object : settings.path("objects")) {
            objects.add((ObjectNode) object);
            for (var webhook : object.path("webhooks")) {
                ((ObjectNode) webhook.path("clientConfig")).set("caBundle", settings.path("ca"));
            }
        }
        settings.path("without")
                .forEach(gone -> objects.removeIf(each -> named(each).equals(gone.asText())));
        settings.path("changes").properties().forEach(change -> {
            var changed = objects.stream()
                    .filter(each -> named(each).equals(change.getKey()))
                    .findFirst();
            Trees.change(changed.orElseThrow(), change.getValue());
        });
        settings.path("with").forEach(more -> objects.add((ObjectNode) more));
    }

    Instant now() {
        return Instant.parse(settings.path("now").asText());
    }

    @Override
    public Answer send(String method, String path, String body) throws Unreadable {
        var plain = path.replaceAll("\\?.*", "");
        if (settings.path("unanswered").valueStream().anyMatch(pattern -> plain.matches(pattern.asText()))) {
            throw Unreadable.trouble("error: no answer\nto " + plain);
        }
        var isForbidden = settings.path("forbidden").valueStream().anyMatch(pattern -> plain.matches(pattern.asText()));
        if (isForbidden) {
            return new Answer(
                    403, "forbidden: User \"x\" cannot " + right(method.equals("PUT") ? "update" : "", plain));
        }
        if (method.equals("PUT")) {
            var answer = settings.path("answer");
            return new Answer(
                    answer.path("status").asInt(), answer.path("words").asText());
        }
        return switch (plain) {
            case "/version" -> new Answer(200, settings.path("version").toString());
            case "/metrics" -> new Answer(200, settings.path("metrics").asText());
            default -> {
                if (plain.endsWith("/proxy/q/metrics")) {
                    yield new Answer(200, settings.path("podMetrics").asText());
                }
                if (plain.endsWith("/proxy/settings")) {
                    yield settings.has("podSettings")
                            ? new Answer(200, settings.path("podSettings").toString())
                            : new Answer(404, "not found");
                }
                yield read(plain);
            }
        };
    }

    /** As an authorizer says it. */
    private static String right(String verb, String path) {
        var parts = PATH.matcher(path);
        if (!parts.matches()) {
            return "get path \"%s\"".formatted(path);
        }
        var verbs = parts.group(3) == null ? "list" : "get";
        return "%s resource \"%s\" in API group \"\"%s"
                .formatted(
                        verb.isEmpty() ? verbs : verb,
                        parts.group(2),
                        parts.group(1) == null
                                ? " at the cluster scope"
                                : " in the namespace \"" + parts.group(1) + "\"");
    }

    private Answer read(String path) {
        var group = path.matches("/apis/[^/]+/v1") ? path.split("/", -1)[2] : "";
        if (!group.isEmpty()) {
            return found(objects.stream()
                    .filter(each -> named(each).equals("APIResourceList " + group))
                    .findFirst());
        }
        var parts = PATH.matcher(path);
        if (!parts.matches()) {
            throw new IllegalArgumentException(path);
        }
        var namespace = Optional.ofNullable(parts.group(1));
        var matching = objects.stream()
                .filter(each -> plural(each).equals(parts.group(2)))
                .filter(each -> namespace.isEmpty()
                        || each.at("/metadata/namespace").asText().equals(namespace.get()))
                .toList();
        if (parts.group(3) != null) {
            return found(matching.stream()
                    .filter(each -> each.at("/metadata/name").asText().equals(parts.group(3)))
                    .findFirst());
        }
        var list = Trees.JSON.createObjectNode();
        list.put(
                "kind",
                matching.isEmpty() ? "List" : matching.getFirst().path("kind").asText() + "List");
        list.putArray("items").addAll(matching);
        return new Answer(200, list.toString());
    }

    private static Answer found(Optional<ObjectNode> object) {
        return object.map(each -> new Answer(200, each.toString())).orElse(new Answer(404, "not found"));
    }

    private static String named(JsonNode object) {
        return object.path("kind").asText() + " " + object.at("/metadata/name").asText();
    }

    private static String plural(JsonNode object) {
        var kind = object.path("kind").asText().toLowerCase(Locale.ROOT);
        return kind + "s";
    }
}
