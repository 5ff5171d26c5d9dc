package dev.gitopsinterlock.effect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which PUT goes on, of those that name the version of the object whose place was taken. */
class ReplacedMarkTest {

    private static final JsonNode OLD =
            Trees.json("{'metadata': {'uid': 'old', 'resourceVersion': '77', 'labels': {'app': 'shop'}}}");

    private static final JsonNode PUT = Trees.json(
            "{'metadata': {'resourceVersion': '77', 'labels': {'app': 'shop'}, 'annotations': {'team': 'a', 'old': 'b'},"
                    + " 'finalizers': ['example.com/one']}}");

    private final JsonNode ordered = new PatchBuilder(PUT)
            .set(
                    OurMetadata.annotation(OurMetadata.REPLACED),
                    ReplacedMark.of(OLD, Trees.json("{}"), Fingerprint.of(Map.of())))
            .object();

    @Test
    void thePutThatTookEffectGoesOn() {
        assertThat(goesOn(created(ordered))).isTrue();
    }

    @Test
    void laterPutIsOutOfDate() {
        var live = created(ordered);
        var bound = ReplacedMark.on(live).orElseThrow().boundTo(live);
        assertThat(goesOn(with(live, "/metadata/annotations/gitops-interlock.dev~1replaced", '"' + bound + '"')))
                .isFalse();
    }

    /** Whatever would be undone. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/metadata/labels/theirs | \"yes\"",
                "/metadata/labels/app | \"cellar\"",
                "/metadata/annotations/theirs | \"yes\"",
                "/metadata/annotations/team | null",
                "/metadata/finalizers | [\"example.com/one\", \"example.com/two\"]",
                "/metadata/finalizers | []",
                "/metadata/ownerReferences | [{\"uid\": \"1\"}]",
                "/metadata/generation | 2"
            })
    void putUnderWhichSomebodyWroteIsOutOfDate(String pointer, String value) {
        assertThat(goesOn(with(created(ordered), pointer, value))).isFalse();
    }

    /** A number of tries to start it, and what the control plane says about it. */
    @ParameterizedTest
    @ValueSource(strings = {"/metadata/annotations/gitops-interlock.dev~1retriggered", "/status"})
    void nobodyIsOneOfUs(String pointer) {
        assertThat(goesOn(with(created(ordered), pointer, "\"1\""))).isTrue();
    }

    @Test
    void whatOthersWebhooksMadeOfItIsNoWrite() {
        var changed = with(ordered, "/metadata/labels/injected", "\"yes\"");
        var mark = ReplacedMark.withMetadata(ordered, changed).orElseThrow();
        var live = with(created(changed), "/metadata/annotations/gitops-interlock.dev~1replaced", '"' + mark + '"');

        assertThat(ReplacedMark.withMetadata(ordered, created(ordered))).isEmpty();
        assertThat(goesOn(created(changed))).as("unless it is said").isFalse();
        assertThat(goesOn(live)).isTrue();
        assertThat(goesOn(with(live, "/metadata/labels/theirs", "\"yes\""))).isFalse();
        assertThat(ReplacedMark.on(live).orElseThrow().boundTo(live)).endsWith("/new");
    }

    private static boolean goesOn(JsonNode live) {
        return ReplacedMark.on(live).orElseThrow().isPutForTheOldOne(live, PUT);
    }

    private static JsonNode created(JsonNode object) {
        return with(with(object, "/metadata/uid", "\"new\""), "/metadata/resourceVersion", "\"78\"");
    }

    /** null takes it away. */
    private static JsonNode with(JsonNode object, String pointer, String value) {
        ObjectNode copy = object.deepCopy();
        var cut = pointer.lastIndexOf('/');
        var key = pointer.substring(cut + 1).replace("~1", "/");
        var parent = pointer.substring(0, cut).isEmpty() ? copy : (ObjectNode) copy.at(pointer.substring(0, cut));
        if (value.equals("null")) {
            parent.remove(key);
        } else {
            parent.set(key, Trees.json(value));
        }
        return copy;
    }
}
