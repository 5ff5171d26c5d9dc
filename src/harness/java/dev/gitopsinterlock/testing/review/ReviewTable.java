package dev.gitopsinterlock.testing.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Stream;

/**
 * A file of {@code src/test/resources/reviews/jobs} with cases whose answers are alike, one in each row. Its form is
 * explained in {@code reviews/README.md}.
 *
 * @param name of the file
 * @param given what each row's request has, beside what the row says
 * @param answer to each row; null where the row says it
 * @param rows by the cases' names
 */
record ReviewTable(String name, JsonNode given, JsonNode answer, JsonNode rows) {

    static final List<ReviewTable> ALL = Stream.of("denied", "templateLabels", "allowed", "untouched")
            .map(ReviewTable::read)
            .toList();

    private static ReviewTable read(String name) {
        var file = Trees.resource(ReviewCase.FOLDER + "/" + name + ".yaml");
        return new ReviewTable(name, file.path("given"), file.path("answer"), file.path("rows"));
    }

    Stream<ReviewCase> cases() {
        return rows.propertyStream()
                .map(row -> new ReviewCase(row.getKey(), request(row.getValue()), answer(row.getValue())));
    }

    private ObjectNode request(JsonNode row) {
        var request = Trees.JSON.createObjectNode();
        Stream.of(given, row)
                .flatMap(JsonNode::propertyStream)
                .filter(member -> !answer.has(member.getKey()))
                .forEach(member -> {
                    if (member.getValue() instanceof ObjectNode changes && request.has(member.getKey())) {
                        request.withObjectProperty(member.getKey()).setAll(changes);
                    } else {
                        request.set(member.getKey(), member.getValue().deepCopy());
                    }
                });
        return request;
    }

    /** With what it has of its own in the place of the table's nulls. */
    private ObjectNode answer(JsonNode row) {
        ObjectNode answers = answer.deepCopy();
        answers.properties().stream()
                .filter(member -> member.getValue().isNull())
                .forEach(member -> member.setValue(row.path(member.getKey())));
        return answers;
    }

    /** Writes anew what a row says of its answer. Fails if the rest is not the table's. */
    void expect(String row, JsonNode outcome) {
        if (!answer(outcome).equals(outcome)) {
            throw new AssertionError("%s is not answered like the rows of %s.yaml and needs a folder:\n%s"
                    .formatted(row, name, Trees.yaml(outcome)));
        }
        var file = CaseFolders.path(ReviewCase.FOLDER).resolve(name + ".yaml");
        var text = Texts.read(file);
        for (var member : answer.properties()) {
            if (member.getValue().isNull()) {
                text = text.replaceFirst(
                        "(?s)(\n  %s:.*?\\b%s: )[^,}\n]+".formatted(row, member.getKey()),
                        "$1"
                                + Matcher.quoteReplacement(
                                        outcome.path(member.getKey()).asText()));
            }
        }
        Texts.write(file, text);
    }
}
