package dev.gitopsinterlock.system.differential;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What became of edits, in a file that gets a line with each lot of them, so that an interrupted run can go on. The first
 * line says what was tested: of another service, or of other edits, nothing counts.
 *
 * @param <R> what became of an edit
 */
final class Ledger<R> {

    /** How results are written. */
    interface Format<R> {
        ObjectNode written(R result);

        R read(JsonNode written);
    }

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Format<R> format;
    private final Map<Integer, List<R>> lots = new ConcurrentHashMap<>();

    private Ledger(Path file, Format<R> format) {
        this.file = file;
        this.format = format;
    }

    static <R> Ledger<R> open(Path file, Format<R> format) throws IOException {
        var ledger = new Ledger<>(file, format);
        var title = JSON.createObjectNode().put("tested", fingerprint()).toString();
        var lines = Files.exists(file) ? Files.readAllLines(file) : List.<String>of();
        if (lines.isEmpty() || !lines.getFirst().equals(title)) {
            Files.writeString(file, title + "\n");
        } else {
            lines.stream().skip(1).forEach(ledger::read);
            Files.writeString(file, ledger.text(title));
        }
        return ledger;
    }

    /** Whether that many edits of the lot are there. */
    boolean has(int lot, int edits) {
        return lots.getOrDefault(lot, List.of()).size() == edits;
    }

    synchronized void add(int lot, List<R> results) throws IOException {
        lots.put(lot, List.copyOf(results));
        Files.writeString(file, line(lot, results), StandardOpenOption.APPEND);
    }

    /** In the order of the lots. */
    List<R> results(List<Integer> numbers) {
        return numbers.stream()
                .flatMap(number -> lots.getOrDefault(number, List.of()).stream())
                .toList();
    }

    @Override
    public String toString() {
        return "%d are in %s".formatted(lots.size(), file);
    }

    /** A line that was being written at the end of the run is no line. */
    private void read(String line) {
        try {
            var lot = JSON.readTree(line);
            lots.put(
                    lot.path("lot").intValue(),
                    lot.path("edits").valueStream().map(format::read).toList());
        } catch (JsonProcessingException e) {
            System.out.println("differential: edits that were interrupted are sent anew");
        }
    }

    private String text(String title) {
        var text = new StringBuilder(title).append('\n');
        lots.forEach((lot, results) -> text.append(line(lot, results)));
        return text.toString();
    }

    private String line(int lot, List<R> results) {
        var line = JSON.createObjectNode().put("lot", lot);
        var edits = line.putArray("edits");
        results.forEach(result -> edits.add(format.written(result)));
        return line + "\n";
    }

    /** Of the service's classes, of those that make the edits and read them, and of what is edited. */
    private static String fingerprint() throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var folder : List.of(
                    "target/classes",
                    "target/test-classes/dev/gitopsinterlock/system/differential",
                    "target/test-classes/dev/gitopsinterlock/job/JobCases.class",
                    "target/test-classes/dev/gitopsinterlock/kinds/KindCases.class",
                    "target/test-classes/dev/gitopsinterlock/testing/client/RecreatingClients.class",
                    "target/test-classes/differential",
                    "target/test-classes/kinds")) {
                try (Stream<Path> files = Files.walk(Project.directory().resolve(folder))) {
                    for (var each : files.filter(path -> path.toString().matches(".*\\.(class|yaml)"))
                            .sorted()
                            .toList()) {
                        digest.update(each.getFileName().toString().getBytes(UTF_8));
                        digest.update(Files.readAllBytes(each));
                    }
                }
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
