package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.kinds.KindCases;
import dev.gitopsinterlock.system.atlas.TableRow;
import dev.gitopsinterlock.system.differential.Editor.Place;
import dev.gitopsinterlock.system.differential.Schema.Field;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random edits of objects of a kind beside Job.
 *
 * @param fields those of the object but its type, its status, and what the API server itself writes
 * @param fixed those of them that the table is about
 * @param rows of the table
 */
record KindEdits(List<Field> fields, List<Field> fixed, List<Field> rows) {

    private static final int ROW_ONE_IN = 5;

    /** By the schema of a running API server. */
    static KindEdits of(ControlPlane kubernetes, GuardedKind kind) {
        var type = "io.k8s.api."
                + (kind.group().isEmpty() ? "core" : kind.group().replaceFirst("\\..*", "")) + ".v1." + kind.name();
        var schema = Schema.ofObjects(kubernetes, api(kind), type);
        var fields = schema.fields().stream()
                .filter(field -> !field.path().matches("(apiVersion|kind|status.*|metadata.*)"))
                .toList();
        return new KindEdits(
                fields,
                fields.stream().filter(field -> isFixed(kind, field)).toList(),
                KindCases.rows(kind).stream()
                        .map(TableRow::path)
                        .filter(path -> !path.endsWith(Field.ELEMENT))
                        .map(schema::atOrUnknown)
                        .toList());
    }

    /** Where its API is. */
    static String api(GuardedKind kind) {
        return (kind.group().isEmpty() ? "api/" : "apis/") + kind.type().apiVersion();
    }

    /** Whether the edit of this number is of a single row of the table, where nothing else has to change for it. */
    static boolean isOfOneRow(int number) {
        return number % ROW_ONE_IN == 0;
    }

    /** Edits it; if not of a row, two of three places are of what the table is about. */
    List<Place> edit(ObjectNode object, int number, Random random) {
        var editor = new Editor(random);
        if (isOfOneRow(number)) {
            return editor.editInPlace(object, rows).stream().toList();
        }
        return IntStream.rangeClosed(0, random.nextInt(4) == 0 ? 1 : 0)
                .mapToObj(each -> random.nextInt(3) > 0 ? fixed : fields)
                .map(among -> among.get(random.nextInt(among.size())))
                .flatMap(field -> (random.nextInt(6) == 0
                                ? editor.emptyOrNot(object, field)
                                : editor.edit(object, field))
                        .stream())
                .toList();
    }

    private static boolean isFixed(GuardedKind kind, Field field) {
        return kind.table().fields().stream()
                .anyMatch(fixed -> (field.path() + ".").startsWith(fixed.text() + ".")
                        || field.path().startsWith(fixed.text() + "["));
    }
}
