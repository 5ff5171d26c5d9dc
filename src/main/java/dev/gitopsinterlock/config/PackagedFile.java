package dev.gitopsinterlock.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A file that comes with the program. */
public final class PackagedFile {

    private PackagedFile() {}

    /** What is in it; empty where there is none of that path. */
    public static Optional<byte[]> bytes(String path) {
        try (var file = PackagedFile.class.getResourceAsStream(path)) {
            return file == null ? Optional.empty() : Optional.of(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same as text, where there has to be one. */
    public static String text(String path) {
        return bytes(path)
                .map(bytes -> new String(bytes, UTF_8))
                .orElseThrow(() -> new IllegalStateException("not packaged: " + path));
    }
}
