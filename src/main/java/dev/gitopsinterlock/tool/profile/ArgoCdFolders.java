package dev.gitopsinterlock.tool.profile;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.tool.AppliedFolder;
import java.util.List;
import java.util.stream.Stream;

/** The folders that Applications and ApplicationSets name. */
final class ArgoCdFolders {

    private static final String PATH = "path";

    private ArgoCdFolders() {}

    static List<AppliedFolder> of(JsonNode object) {
        if (!object.path("apiVersion").asText().startsWith("argoproj.io/")) {
            return List.of();
        }
        return switch (object.path("kind").asText()) {
            case "Application" -> ofSpec(object.path("spec"), sources(object.path("spec")));
            case "ApplicationSet" -> {
                var spec = object.at("/spec/template/spec");
                yield ofSpec(spec, Stream.concat(sources(spec), directories(object)));
            }
            default -> List.of();
        };
    }

    private static List<AppliedFolder> ofSpec(JsonNode spec, Stream<JsonNode> folders) {
        var options = spec.at("/syncPolicy/syncOptions")
                .valueStream()
                .map(JsonNode::asText)
                .collect(joining(","));
        return folders.filter(source -> source.has(PATH))
                .map(source -> new AppliedFolder(
                        source.path(PATH).asText(),
                        spec.at("/destination/namespace").asText(),
                        options,
                        false))
                .toList();
    }

    private static Stream<JsonNode> sources(JsonNode spec) {
        return Stream.concat(
                Stream.of(spec.path("source")), spec.path("sources").valueStream());
    }

    /** Of Git generators, also within others. */
    private static Stream<JsonNode> directories(JsonNode set) {
        return set.at("/spec/generators").findValues("directories").stream()
                .flatMap(JsonNode::valueStream)
                .filter(directory -> !directory.path("exclude").asBoolean());
    }
}
