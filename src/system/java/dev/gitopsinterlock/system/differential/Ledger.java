package dev.gitopsinterlock.system.differential;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.system.differential.Editor.Change;
import dev.gitopsinterlock.system.differential.Editor.Place;
import dev.gitopsinterlock.system.differential.Tally.Result;
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
 * What became of each Job's edits, in a file that gets a line with each Job, so that an interrupted run can go on. The
 * first line says what was tested: of another service, or of other edits, nothing counts.
 */
final class Ledger {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Schema schema;
    private final Map<Integer, List<Result>> jobs = new ConcurrentHashMap<>();

    private Ledger(Path file, Schema schema) {
        this.file = file;
        this.schema = schema;
    }

    static Ledger open(Path file, Schema schema) throws IOException {
        var ledger = new Ledger(file, schema);
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

    /** Whether that many edits of the Job are there. */
    boolean has(int job, int edits) {
        return jobs.getOrDefault(job, List.of()).size() == edits;
    }

    synchronized void add(int job, List<Result> results) throws IOException {
        jobs.put(job, List.copyOf(results));
        Files.writeString(file, line(job, results), StandardOpenOption.APPEND);
    }

    Tally tally(List<Integer> numbers) {
        var tally = new Tally();
        numbers.forEach(number -> jobs.getOrDefault(number, List.of()).forEach(tally::add));
        return tally;
    }

    @Override
    public String toString() {
        return "%d are in %s".formatted(jobs.size(), file);
    }

    /** A line that was being written at the end of the run is no line. */
    private void read(String line) {
        try {
            var job = JSON.readTree(line);
            jobs.put(
                    job.path("job").intValue(),
                    job.path("edits").valueStream().map(this::result).toList());
        } catch (JsonProcessingException e) {
            System.out.println("differential: a Job that was interrupted is edited anew");
        }
    }

    private String text(String title) {
        var text = new StringBuilder(title).append('\n');
        jobs.forEach((job, results) -> text.append(line(job, results)));
        return text.toString();
    }

    private Result result(JsonNode edit) {
        return new Result(
                State.valueOf(edit.path("state").textValue()),
                Method.valueOf(edit.path("method").textValue()),
                edit.path("places")
                        .valueStream()
                        .map(place -> new Place(
                                schema.at(place.path("field").textValue()),
                                Change.valueOf(place.path("change").textValue())))
                        .toList(),
                Outcome.valueOf(edit.path("outcome").textValue()),
                edit.path("detail").asText());
    }

    private static String line(int job, List<Result> results) {
        var line = JSON.createObjectNode().put("job", job);
        var edits = line.putArray("edits");
        for (var result : results) {
            var edit = edits.addObject()
                    .put("state", result.state().name())
                    .put("method", result.method().name())
                    .put("outcome", result.outcome().name());
            var places = edit.putArray("places");
            result.places()
                    .forEach(place -> places.addObject()
                            .put("field", place.field().path())
                            .put("change", place.change().name()));
            if (!result.detail().isEmpty()) {
                edit.put("detail", result.detail());
            }
        }
        return line + "\n";
    }

    /** Of the service's classes and of those that make the edits. */
    private static String fingerprint() throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            for (var folder :
                    List.of("target/classes", "target/test-classes/dev/gitopsinterlock/system/differential")) {
                try (Stream<Path> files = Files.walk(Project.directory().resolve(folder))) {
                    for (var each : files.filter(path -> path.toString().endsWith(".class"))
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
