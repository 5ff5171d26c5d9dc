package dev.gitopsinterlock.system.atlas;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.system.atlas.Atlas.Field;
import dev.gitopsinterlock.system.atlas.Atlas.FieldCase;
import dev.gitopsinterlock.system.atlas.Atlas.Kind;
import dev.gitopsinterlock.system.atlas.Atlas.Seen;
import dev.gitopsinterlock.system.atlas.Atlas.Tagged;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The parts of the page that are written by the tables and the runs. */
record AtlasPage(Atlas atlas, Map<String, List<TaggedField>> tags) {

    /** What each word means. */
    String words() {
        return Stream.of(atlas.effects(), atlas.conditions())
                .flatMap(words -> words.entrySet().stream())
                .map(word -> "| `%s` | %s |".formatted(word.getKey(), word.getValue()))
                .collect(joining("\n", "\n\n| word | what it means |\n|---|---|\n", "\n"));
    }

    /** A line for each kind and version. */
    String edits() {
        return atlas.kinds().stream()
                .flatMap(kind -> kind.edits().values().stream()
                        .map(edits -> "| %s | %s | %s | %s | %s | %s | %s | %s | %s |"
                                .formatted(
                                        kind.kind(),
                                        edits.tested(),
                                        number(edits.sent()),
                                        number(edits.accepted()),
                                        number(edits.refused()),
                                        number(edits.refusedAsImmutable()),
                                        number(edits.refusedInOurWords()),
                                        number(edits.refusedByUsAlone()),
                                        edits.date())))
                .collect(joining("\n", """


                        | kind | Kubernetes | edits | accepted | refused | refused as immutable | refused in our words | **accepted, refused by us** | on |
                        |---|---|---:|---:|---:|---:|---:|---:|---|
                        """, "\n"));
    }

    /** A table for each kind. */
    String fields() {
        return atlas.kinds().stream().map(AtlasPage::fields).collect(joining("\n", "\n\n", ""));
    }

    private static String fields(Kind kind) {
        var rows = kind.fields().stream()
                .flatMap(field -> field.cases().stream()
                        .map(each -> row(
                                "`" + field.path() + "`",
                                Stream.concat(
                                        Stream.of(each.when().word()),
                                        Atlas.MINORS.stream().map(minor -> cell(each.on(minor)))))))
                .collect(joining("\n"));
        return "### %s of %s%n%n%s%n%s%n%s%n"
                .formatted(
                        kind.kind(),
                        kind.apiVersion(),
                        row("field, and everything below it", Stream.concat(Stream.of("when"), Atlas.MINORS.stream())),
                        "|---|---" + "|---".repeat(Atlas.MINORS.size()) + "|",
                        rows);
    }

    private static String row(String first, Stream<String> cells) {
        return "| " + first + " | " + cells.collect(joining(" | ")) + " |";
    }

    /** The effect with the edits that had it, then the others. */
    private static String cell(Seen seen) {
        var edits = Stream.of(
                        Map.entry(FieldOutcome.ACCEPTED, seen.accepted()),
                        Map.entry(FieldOutcome.IGNORED, seen.ignored()),
                        Map.entry(FieldOutcome.REFUSED, seen.refused()))
                .filter(count -> count.getValue() > 0)
                .sorted(Comparator.comparing(count -> count.getKey() != seen.effect()))
                .map(count -> number(count.getValue())
                        + (count.getKey() == seen.effect()
                                ? ""
                                : " " + count.getKey().word()))
                .collect(joining(", "));
        return edits.isEmpty()
                ? seen.effect().word() + ", no edit"
                : seen.effect().word() + ": " + edits;
    }

    /** Fields with tags: what a tag says beside what the table says. */
    String tagsOfKinds() {
        return atlas.kinds().stream()
                .flatMap(kind -> kind.tags().stream()
                        .flatMap(tagged -> tagged.kubernetes().entrySet().stream()
                                .map(version -> "| %s | `%s` | %s | %s | %s |"
                                        .formatted(
                                                kind.kind(),
                                                tagged.path(),
                                                version.getKey(),
                                                code(version.getValue()),
                                                otherwise(kind, tagged, version.getKey())))))
                .collect(joining("\n", """


                        | kind | field | Kubernetes | its tags | where servers do not refuse |
                        |---|---|---|---|---|
                        """, "\n"));
    }

    /** Kinds that are not in the atlas. */
    String tagsOfOthers() {
        return tags.entrySet().stream()
                .flatMap(version -> version.getValue().stream()
                        .filter(field -> atlas.kinds().stream()
                                .noneMatch(kind -> field.kind().equals(kind.kind())
                                        && field.apiVersion().equals(kind.apiVersion())))
                        .map(field -> "| %s | `%s` | %s | %s |"
                                .formatted(field.kind(), field.field(), version.getKey(), code(field.tags()))))
                .sorted()
                .collect(joining("\n", "\n\n| kind | field | Kubernetes | its tags |\n|---|---|---|---|\n", "\n"));
    }

    /** Fields that servers never change, and of which the types say nothing. */
    String withoutTags() {
        var newest = Atlas.MINORS.getLast();
        return atlas.kinds().stream()
                .map(kind -> withoutTags(kind, newest).stream()
                        .map(path -> "`" + path + "`")
                        .collect(joining(", ", "- **" + kind.kind() + "**: ", "")))
                .filter(line -> line.endsWith("`"))
                .collect(joining("\n", "\n\n", "\n"));
    }

    private static List<String> withoutTags(Kind kind, String minor) {
        var refused = kind.fields().stream()
                .filter(field ->
                        field.cases().stream().allMatch(each -> each.on(minor).effect() == FieldOutcome.REFUSED))
                .map(Field::path)
                .toList();
        return refused.stream()
                .filter(path -> refused.stream().noneMatch(other -> isBelow(path, other)))
                .filter(path -> kind.tags().stream()
                        .filter(tagged -> tagged.kubernetes().containsKey(minor))
                        .noneMatch(tagged -> isPart(path, tagged.path())))
                .toList();
    }

    private static String code(List<String> tags) {
        return tags.stream().map(tag -> "`" + tag + "`").collect(joining(", "));
    }

    /** Of the row that covers the field, and of the rows below it. */
    private static String otherwise(Kind kind, Tagged tagged, String minor) {
        var above = kind.fields().stream()
                .map(Field::path)
                .filter(path -> isPart(tagged.path(), path))
                .reduce((one, other) -> one.length() > other.length() ? one : other);
        if (above.isEmpty()) {
            return "the table has no such field";
        }
        var words = kind.fields().stream()
                .filter(field -> field.path().equals(above.get()) || isPart(field.path(), tagged.path()))
                .flatMap(field -> field.cases().stream()
                        .filter(each ->
                                isAbout(each, field, tagged) && each.on(minor).effect() != FieldOutcome.REFUSED)
                        .map(each -> "`%s`, %s: %s"
                                .formatted(field.path(), each.when().word(), cell(each.on(minor)))))
                .collect(joining("; "));
        return words.isEmpty() ? "nowhere" : words;
    }

    /** What comes or goes as a whole is not what is below it. */
    private static boolean isAbout(FieldCase each, Field field, Tagged tagged) {
        return each.when() != Condition.FIELD_ADDED_OR_REMOVED || !isBelow(tagged.path(), field.path());
    }

    private static boolean isPart(String path, String whole) {
        return path.equals(whole) || isBelow(path, whole);
    }

    private static boolean isBelow(String path, String whole) {
        return path.startsWith(whole + ".") || path.startsWith(whole + "[");
    }

    private static String number(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
