package dev.gitopsinterlock.system.compatibility;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.Runtime.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** The runs that the page tells of: a file for each version of Kubernetes, with what became of each test class. */
record Runs(Map<Version, Map<String, Run>> byVersion) {

    /**
     * A test class on a version.
     *
     * @param tests how many; 0 if nobody counted
     * @param numbers what it counted itself
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Run(String date, int tests, int failed, Map<String, Integer> numbers) {

        Run {
            numbers = numbers == null ? Map.of() : Map.copyOf(numbers);
        }

        int number(String name) {
            return numbers.getOrDefault(name, 0);
        }
    }

    /** Stands for all integration tests of a run whose classes nobody counted. */
    static final String ALL = "*IT";

    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
    private static final Path FOLDER = Project.directory().resolve("src/test/resources/compatibility");
    private static final Path TESTBED = Project.directory().resolve("testbed/kubernetes");
    private static final Path REPORTS = Project.directory().resolve("target/failsafe-reports");
    private static final Path EVIDENCE = Project.directory().resolve("target/evidence");
    private static final Pattern REQUIRED =
            Pattern.compile("(?m)^require k8s\\.io/kubernetes v(\\S+)|^\\s+k8s\\.io/kubernetes v(\\S+)$");

    static Runs read() {
        var runs = new TreeMap<Version, Map<String, Run>>(Comparator.reverseOrder());
        for (var file : files(FOLDER, ".json")) {
            runs.put(Version.parse(name(file)), parsed(file, new TypeReference<TreeMap<String, Run>>() {}));
        }
        return new Runs(runs);
    }

    /** The versions of the test bed, the newest first. */
    static List<Version> offered() {
        try (var folders = Files.list(TESTBED)) {
            return folders.map(folder -> REQUIRED.matcher(text(folder.resolve("go.mod"))))
                    .flatMap(matcher -> matcher.results().limit(1))
                    .map(result -> Version.parse(result.group(1) == null ? result.group(2) : result.group(1)))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes what the last runs of this folder have left in {@code target}, and keeps it. */
    Runs withLast() {
        for (var report : files(REPORTS, ".xml")) {
            if (name(report).startsWith("TEST-")) {
                take(report);
            }
        }
        byVersion.forEach((version, runs) -> Texts.write(FOLDER.resolve(version + ".json"), written(runs)));
        return this;
    }

    private void take(Path report) {
        var suite = suite(report);
        var version = property(suite, "kubernetes.version");
        var test = name(report).replaceFirst(".*\\.", "");
        var tests = number(suite, "tests") - number(suite, "skipped");
        if (version.isEmpty() || tests == 0) {
            return;
        }
        var counted = EVIDENCE.resolve(version).resolve(test + ".json");
        var numbers = Files.exists(counted)
                ? parsed(counted, new TypeReference<TreeMap<String, Integer>>() {})
                : Map.<String, Integer>of();
        byVersion
                .computeIfAbsent(Version.parse(version), first -> new TreeMap<>())
                .put(test, new Run(date(report), tests, number(suite, "failures") + number(suite, "errors"), numbers));
    }

    private static Element suite(Path report) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getDocumentElement();
        } catch (IOException | ParserConfigurationException | SAXException e) {
            throw new IllegalStateException(report.toString(), e);
        }
    }

    private static String property(Element suite, String name) {
        var properties = suite.getElementsByTagName("property");
        for (int i = 0; i < properties.getLength(); i++) {
            if (properties.item(i) instanceof Element property
                    && property.getAttribute("name").equals(name)) {
                return property.getAttribute("value");
            }
        }
        return "";
    }

    private static int number(Element suite, String attribute) {
        return Integer.parseInt(suite.getAttribute(attribute));
    }

    private static String date(Path file) {
        try {
            return LocalDate.ofInstant(Files.getLastModifiedTime(file).toInstant(), ZoneOffset.UTC)
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path folder, String ending) {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replaceFirst("\\.[a-z]+$", "");
    }

    private static <T> T parsed(Path file, TypeReference<T> type) {
        try {
            return JSON.readValue(text(file), type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(file.toString(), e);
        }
    }

    private static String written(Map<String, Run> runs) {
        try {
            return JSON.writeValueAsString(runs) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
