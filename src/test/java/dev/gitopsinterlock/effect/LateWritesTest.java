package dev.gitopsinterlock.effect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes over into a new object, where the edit changes its serviceName. */
class LateWritesTest {

    private static final String OLD = """
            {'metadata': {'uid': 'u-1', 'resourceVersion': '7', 'labels': {'a': '1'}, 'annotations': {'b': '1'}},
             'spec': {'serviceName': 'old', 'replicas': 2, 'updateStrategy': {'type': 'RollingUpdate', 'rollingUpdate': {'partition': 1}}, 'template': {'metadata': {'labels': {'app': 'db', 'b': '1'}}}},
             'status': {'replicas': 2}}
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            # where              | written | ordered | then
            /spec/replicas       | 3       | 2       | 3
            /spec/replicas       | 3       | 4       | 4
            /spec/replicas       | 2       | 4       | 4
            /metadata/labels/a   | "'2'"   | "'1'"   | "'2'"
            /metadata/labels/new | "'2'"   |         | "'2'"
            /metadata/labels/a   |         | "'1'"   |
            /metadata/labels/a   |         | "'3'"   | "'3'"
            /metadata/labels     | "{'a': '1', 'new': '2'}" | | "{'new': '2'}"
            /metadata/labels     | "{'a': '2'}" |      |
            /spec/updateStrategy/rollingUpdate | "{'partition': 1, 'maxUnavailable': 2}" | |
            /spec/template/metadata/labels | "{'b': '1'}" | "{'app': 'db'}" | {}
            /metadata/annotations/b | "'2'" | "'1'"  | "'2'"
            /spec/template/metadata/labels/more | "'2'" | | "'2'"
            /metadata/ownerReferences | "[{'uid': 'u-9'}]" | | "[{'uid': 'u-9'}]"
            /metadata/finalizers | "['orphan']" |    |
            /metadata/deletionTimestamp | "'now'" |  |
            """)
    void aWriteGoesOverUnlessTheEditChangesTheSame(String at, String written, String ordered, String then) {
        var seen = Trees.json(OLD);

        var created = LateWrites.into(with(edited(), at, ordered), seen, with(seen, at, written));

        assertThat(created.at(at)).isEqualTo(then == null ? Trees.json("{}").path("none") : Trees.json(then));
        assertThat(created.at("/spec/serviceName").asText()).isEqualTo("new");
    }

    @Test
    void withoutAnyTheNewObjectIsTheOrderedOne() {
        var ordered = edited();

        assertThat(LateWrites.into(ordered, Trees.json(OLD), with(Trees.json(OLD), "/status/replicas", "1")))
                .isSameAs(ordered);
    }

    /** The API server asks about the PUT once more; one that knows nothing of the write must not undo it. */
    @ParameterizedTest
    @CsvSource({"3, false", "2, true"})
    void aPutMadeForTheOldOnePassesOnlyWhereNobodyWrote(String replicas, boolean passes) {
        var seen = Trees.json(OLD);
        var ordered = edited();
        ordered.withObject("/metadata/annotations")
                .put(OurMetadata.REPLACED, ReplacedMark.of(seen, Trees.json("{}"), new Fingerprint("f")));
        var put = ordered.deepCopy();
        put.withObject("/metadata").put("resourceVersion", "7");

        var live = LateWrites.into(ordered, seen, with(seen, "/spec/replicas", replicas));

        assertThat(ReplacedMark.on(live).orElseThrow().isPutForTheOldOne(live, put))
                .isEqualTo(passes);
    }

    private static ObjectNode edited() {
        ObjectNode edited = Trees.json(OLD).deepCopy();
        edited.withObject("/spec").put("serviceName", "new");
        edited.withObject("/metadata").remove("uid");
        edited.withObject("/metadata").remove("resourceVersion");
        edited.remove("status");
        return edited;
    }

    private static ObjectNode with(JsonNode object, String at, String value) {
        ObjectNode changed = object.deepCopy();
        var end = at.lastIndexOf('/');
        var parent = changed.withObject(at.substring(0, end));
        if (value == null) {
            parent.remove(at.substring(end + 1));
        } else {
            parent.set(at.substring(end + 1), Trees.json(value));
        }
        return changed;
    }
}
