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
            case "Application" -> ofSpec(object.path("spec"), literal(object.path("spec")), List.of());
            case "ApplicationSet" -> {
                var spec = object.at("/spec/template/spec");
                // a generator's exclusions count for its own folders
                yield Stream.concat(
                                ofSpec(spec, literal(spec), List.of()).stream(),
                                object.at("/spec/generators").findValues("directories").stream()
                                        .flatMap(
                                                each -> ofSpec(
                                                        spec,
                                                        directories(each, false),
                                                        directories(each, true).toList())
                                                        .stream()))
                        .toList();
            }
            default -> List.of();
        };
    }

    private static List<AppliedFolder> ofSpec(JsonNode spec, Stream<String> folders, List<String> excluded) {
        var options = spec.at("/syncPolicy/syncOptions")
                .valueStream()
                .map(JsonNode::asText)
                .collect(joining(","));
        return folders.map(path -> new AppliedFolder(
                                path, spec.at("/destination/namespace").asText(), options, false)
                        .except(excluded)
                        .withValues(
                                sources(spec).map(source -> source.path("helm")),
                                "values",
                                "valuesObject",
                                "valueFiles",
                                "parameters",
                                "fileParameters"))
                .toList();
    }

    private static Stream<String> paths(Stream<JsonNode> folders) {
        return folders.filter(folder -> folder.has(PATH))
                .map(folder -> folder.path(PATH).asText());
    }

    private static Stream<String> literal(JsonNode spec) {
        return paths(sources(spec)).map(AppliedFolder::literal);
    }

    private static Stream<JsonNode> sources(JsonNode spec) {
        return Stream.concat(
                Stream.of(spec.path("source")), spec.path("sources").valueStream());
    }

    /** Those of a Git generator that name a folder: for Argo CD none has an empty name or {@code .}. */
    private static Stream<String> directories(JsonNode generator, boolean areExcluded) {
        return paths(generator
                        .valueStream()
                        .filter(directory -> directory.path("exclude").asBoolean() == areExcluded))
                .filter(path -> Stream.of(path.split("/", -1)).noneMatch(name -> name.isEmpty() || name.equals(".")));
    }
}
