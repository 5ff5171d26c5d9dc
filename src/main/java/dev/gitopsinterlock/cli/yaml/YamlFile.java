package dev.gitopsinterlock.cli.yaml;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import dev.gitopsinterlock.check.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A text of documents, with the places where its lines begin. Immutable. */
final class YamlFile {

    /** At the beginning of a line, even in the middle of a text block, this ends a document. */
    private static final Pattern SEPARATOR = Pattern.compile("^---(?=\\s|$)", Pattern.MULTILINE);

    private static final Pattern JSON_OBJECT = Pattern.compile("\\s*+\\{");
    private static final JsonFactory JSON = new JsonFactory();

    private final String name;
    private final String text;
    private final AtomicReference<YamlDocument.@Nullable Parsed> latest;
    private final int[] lineStarts;

    /** As nearly everywhere; then nothing has to be counted. */
    private final boolean isOneUnitEach;

    /** Whether there may be a comment of Helm above an object. */
    private final boolean hasSources;

    /**
     * A whole file.
     *
     * @param name for messages
     * @param latest that was parsed, of all files that share this
     */
    YamlFile(String name, String text, AtomicReference<YamlDocument.@Nullable Parsed> latest) {
        this.name = name;
        this.text = text;
        this.latest = latest;
        this.lineStarts = IntStream.concat(
                        IntStream.of(0),
                        IntStream.range(0, text.length())
                                .filter(i -> text.charAt(i) == '\n')
                                .map(i -> i + 1))
                .toArray();
        this.isOneUnitEach = text.chars().noneMatch(unit -> Character.isSurrogate((char) unit));
        this.hasSources = text.contains("# Source: ");
    }

    boolean hasSources() {
        return hasSources;
    }

    /** That many code points behind an offset. */
    int offset(int start, int codePoints) {
        return isOneUnitEach ? start + codePoints : text.offsetByCodePoints(start, codePoints);
    }

    String text() {
        return text;
    }

    AtomicReference<YamlDocument.@Nullable Parsed> latest() {
        return latest;
    }

    /** Its parts, in their order. */
    List<YamlDocument> documents() {
        var documents = new ArrayList<YamlDocument>();
        var start = 0;
        for (var next : furtherObjects()) {
            documents.add(new YamlDocument(this, start, next));
            start = next;
        }
        var separators = SEPARATOR.matcher(text).region(start, text.length());
        while (separators.find()) {
            documents.add(new YamlDocument(this, start, separators.start()));
            start = separators.end();
        }
        documents.add(new YamlDocument(this, start, text.length()));
        return List.copyOf(documents);
    }

    /** Where JSON objects begin behind the one that a file begins with: for kubectl, each is a document. */
    private List<Integer> furtherObjects() {
        var starts = new ArrayList<Integer>();
        if (!JSON_OBJECT.matcher(text).lookingAt()) {
            return starts;
        }
        try (var parser = JSON.createParser(text)) {
            parser.nextToken();
            parser.skipChildren();
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                starts.add((int) parser.currentTokenLocation().getCharOffset());
                parser.skipChildren();
            }
        } catch (IOException e) {
            // what is there is YAML, or nothing
        }
        return starts;
    }

    /** All of it as one. */
    YamlDocument asOne() {
        return new YamlDocument(this, 0, text.length());
    }

    Place place(int offset) {
        var found = Arrays.binarySearch(lineStarts, offset);
        var line = found >= 0 ? found : -found - 2;
        var column = isOneUnitEach ? offset - lineStarts[line] : text.codePointCount(lineStarts[line], offset);
        return new Place(name, line + 1, column + 1);
    }

    String line(int number) {
        var start = lineStarts[number - 1];
        var end = number < lineStarts.length ? lineStarts[number] : text.length();
        return text.substring(start, end).stripTrailing();
    }
}
