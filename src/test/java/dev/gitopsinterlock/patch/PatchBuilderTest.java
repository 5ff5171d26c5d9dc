package dev.gitopsinterlock.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.zjsonpatch.JsonPatch;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PatchBuilderTest {

    private static final JsonNode ORIGINAL = Trees.json("{'a': {'b': 1, 'x/y~z': 2}, 'c': [1, 2], 'd': 'text'}");

    /** A change at a place; without a value it takes away what is there. */
    record Change(List<String> at, JsonNode value) {}

    @Property
    void thePatchMakesTheSameObjectAndLeavesTheOriginalAlone(@ForAll("changes") List<Change> changes) {
        var before = ORIGINAL.deepCopy();
        var draft = changed(ORIGINAL, changes);

        assertThat(JsonPatch.apply(draft.patch().tree(), ORIGINAL)).isEqualTo(draft.object());
        assertThat(ORIGINAL).isEqualTo(before);
    }

    @Property
    void theSameChangesAgainChangeNothing(@ForAll("changes") List<Change> changes) {
        var last = changes.subList(changes.size() - 1, changes.size());
        var once = changed(ORIGINAL, last).object();

        assertThat(changed(once, last).patch().isEmpty()).isTrue();
    }

    @Example
    void missingObjectsOnTheWayAreMade() {
        var draft = new PatchBuilder(Trees.json("{}"))
                .set(PatchBuilder.at("metadata", "annotations", "example.com/a"), "b");

        assertThat(draft.object()).isEqualTo(Trees.json("{'metadata': {'annotations': {'example.com/a': 'b'}}}"));
    }

    private static PatchBuilder changed(JsonNode original, List<Change> changes) {
        var draft = new PatchBuilder(original);
        for (var change : changes) {
            var at = PatchBuilder.at(change.at().toArray(String[]::new));
            if (change.value().isNull()) {
                draft.remove(at);
            } else {
                draft.set(at, change.value());
            }
        }
        return draft;
    }

    @Provide
    Arbitrary<List<Change>> changes() {
        var names = Arbitraries.of("a", "b", "e", "x/y~z", "");
        var values = Arbitraries.of(
                Trees.json("null"), Trees.json("1"), Trees.json("'text'"), Trees.json("{}"), Trees.json("{'b': {}}"));
        return Combinators.combine(names.list().ofMinSize(1).ofMaxSize(3), values)
                .as(Change::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }
}
