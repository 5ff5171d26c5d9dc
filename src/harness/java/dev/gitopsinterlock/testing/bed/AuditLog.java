package dev.gitopsinterlock.testing.bed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an API server was asked to change about Jobs, StatefulSets and Pods, in the order of its answers. Safe for any thread. */
public final class AuditLog {

    private static final Pattern CHANGES = Pattern.compile(
            "\"verb\":\"(?:create|update|patch|delete|deletecollection)\".*\"resource\":\"(?:jobs|statefulsets|pods)\"");

    private final Path file;
    private final List<Change> changes = new ArrayList<>();
    private @Nullable Part open;

    AuditLog(Path file) {
        this.file = file;
    }

    /**
     * A request that was answered.
     *
     * @param subresource empty for the object itself
     * @param user the name of the one whose rights counted
     * @param code of the answer
     * @param message of an answer that is an error, else empty
     */
    public record Change(
            String namespace,
            String resource,
            String subresource,
            String name,
            String verb,
            String user,
            boolean dryRun,
            int code,
            String message) {

        private static Change of(JsonNode event) {
            return new Change(
                    event.at("/objectRef/namespace").asText(),
                    event.at("/objectRef/resource").asText(),
                    event.at("/objectRef/subresource").asText(),
                    event.at("/objectRef/name").asText(),
                    event.path("verb").asText(),
                    event.at(event.has("impersonatedUser") ? "/impersonatedUser/username" : "/user/username")
                            .asText(),
                    event.path("requestURI").asText().contains("dryRun="),
                    event.at("/responseStatus/code").asInt(),
                    event.at("/responseStatus/message").asText());
        }

        public boolean succeeded() {
            return code >= 200 && code < 300;
        }
    }

    /** All so far in the namespace. */
    public synchronized List<Change> in(String namespace) {
        readOn();
        return changes.stream()
                .filter(change -> change.namespace().equals(namespace))
                .toList();
    }

    /** The API server begins a new file when one is full; the old one stays open here until it is read to its end. */
    private void readOn() {
        try {
            var newest = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            if (open == null) {
                open = new Part(newest, new RandomAccessFile(file.toFile(), "r"));
            }
            readRest(open);
            if (!open.key().equals(newest)) {
                open.content().close();
                open = null;
                readOn();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readRest(Part part) throws IOException {
        var log = part.content();
        var begin = log.getFilePointer();
        var bytes = new byte[Math.toIntExact(log.length() - begin)];
        log.readFully(bytes);
        var text = new String(bytes, UTF_8);
        var complete = text.substring(0, text.lastIndexOf('\n') + 1); // the last line may not be all there yet
        log.seek(begin + complete.getBytes(UTF_8).length);
        complete.lines()
                .filter(CHANGES.asPredicate())
                .map(line -> Change.of(Trees.json(line.getBytes(UTF_8))))
                .forEach(changes::add);
    }

    private record Part(Object key, RandomAccessFile content) {}
}
