package dev.gitopsinterlock.system.atlas;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.Runtime.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Folders with a file for each version of Kubernetes: {@code 1.37.2.json}. */
final class EvidenceFiles {

    static final Path KEPT = Project.directory().resolve("src/test/resources/compatibility");

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private EvidenceFiles() {}

    /** The newest version first. */
    static <T> NavigableMap<Version, T> byVersion(Path folder, TypeReference<T> type) {
        var versions = new TreeMap<Version, T>(Comparator.reverseOrder());
        in(folder).forEach(file -> versions.put(Version.parse(name(file)), parsed(file, type)));
        return versions;
    }

    /** None if there is no such folder. */
    static List<Path> in(Path folder) {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.json$", "");
    }

    static <T> T parsed(Path file, TypeReference<T> type) {
        try {
            return JSON.readValue(file.toFile(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String written(Object evidence) {
        try {
            return JSON.writeValueAsString(evidence) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
