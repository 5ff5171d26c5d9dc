package dev.gitopsinterlock.build.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** Reads an archive as {@code docker load} does. */
public final class ImageArchive {

    private static final ObjectMapper JSON = new ObjectMapper();

    private ImageArchive() {}

    /** The image's config. */
    public static byte[] config(Path archive) throws IOException {
        return read(archive, manifest(archive).path("Config").asText());
    }

    /** The image's name and tag. */
    public static String name(Path archive) throws IOException {
        return manifest(archive).path("RepoTags").path(0).asText();
    }

    /** What is in the layers. */
    public static List<TarArchiveEntry> entries(Path archive) throws IOException {
        var entries = new ArrayList<TarArchiveEntry>();
        for (var layer : manifest(archive).path("Layers")) {
            var bytes = read(archive, layer.asText());
            try (var tar = new TarArchiveInputStream(new GZIPInputStream(new ByteArrayInputStream(bytes)))) {
                for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                    entries.add(entry);
                }
            }
        }
        return entries;
    }

    private static JsonNode manifest(Path archive) throws IOException {
        return JSON.readTree(read(archive, "manifest.json")).path(0);
    }

    private static byte[] read(Path archive, String name) throws IOException {
        try (var tar = new TarArchiveInputStream(Files.newInputStream(archive))) {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.getName().equals(name)) {
                    return tar.readAllBytes();
                }
            }
        }
        throw new IOException(archive + " has no " + name);
    }
}
