package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever the bytes, there is an answer and no exception. */
class RandomReviewsTest {

    private static final List<ObjectNode> REVIEWS =
            ReviewCase.all().stream().map(ReviewCase::review).toList();

    /** One of every type, and those that the way to a number or a name could trip over. */
    private static final List<JsonNode> ODDITIES = List.of(
            Trees.json("null"),
            Trees.json("true"),
            Trees.json("0"),
            Trees.json("-1"),
            Trees.json("1.5"),
            Trees.json("99999999999999999999"),
            Trees.json("1e999"),
            Trees.json("''"),
            Trees.json("'text'"),
            Trees.json("'1e999999999'"),
            Trees.json("'1Zi'"),
            Trees.json("[]"),
            Trees.json("[null]"),
            Trees.json("[[]]"),
            Trees.json("['text', 7, {}]"),
            Trees.json("{}"),
            Trees.json("{'a': null}"),
            Trees.json("{'': {}}"),
            Trees.json("{'name': 7, 'type': {}, 'status': [], 'controller': 'yes'}"));

    @Property(tries = 3000)
    void reviewWithOddPartsIsAnswered(@ForAll long seed) {
        var review = mutated(REVIEWS, new Random(seed));

        assertThatCode(() -> Answers.of(review, Map.of())).doesNotThrowAnyException();
    }

    @Property(tries = 1000)
    void sameBytesGiveTheSameAnswer(@ForAll long seed) {
        var review = REVIEWS.get(new Random(seed).nextInt(REVIEWS.size()));

        assertThat(Answers.of(review, Map.of())).isEqualTo(Answers.of(review.deepCopy(), Map.of()));
    }

    @Property(tries = 1000)
    void randomBytesAreAnswered(@ForAll byte[] body) {
        assertThatCode(() -> ReviewReader.read(body, JobKind.IDS)).doesNotThrowAnyException();
    }

    @Property(tries = 500)
    void quantityThatIsNoneIsAnswered(@ForAll("quantities") String before, @ForAll("quantities") String after) {
        var review = REVIEWS.getFirst().deepCopy();
        var limits = "/spec/template/spec/containers/0/resources/limits";
        review.withObject("/request/oldObject" + limits).put("memory", before);
        review.withObject("/request/object" + limits).put("memory", after);

        assertThatCode(() -> Answers.of(review, Map.of())).doesNotThrowAnyException();
    }

    /** One to three places of a good review replaced, in both objects or in one. */
    static ObjectNode mutated(List<ObjectNode> reviews, Random random) {
        var review = reviews.get(random.nextInt(reviews.size())).deepCopy();
        for (int i = random.nextInt(3); i >= 0; i--) {
            var pointers = new ArrayList<>(Trees.pointers(review.path("request")));
            pointers.remove(JsonPointer.empty());
            if (!pointers.isEmpty()) {
                replace(
                        review.path("request"),
                        pointers.get(random.nextInt(pointers.size())),
                        ODDITIES.get(random.nextInt(ODDITIES.size())));
            }
        }
        return review;
    }

    private static void replace(JsonNode tree, JsonPointer pointer, JsonNode value) {
        switch (tree.at(pointer.head())) {
            case ObjectNode parent -> parent.set(pointer.last().getMatchingProperty(), value.deepCopy());
            case ArrayNode parent -> parent.set(pointer.last().getMatchingIndex(), value.deepCopy());
            default -> throw new IllegalStateException("a value has no children");
        }
    }

    @Provide
    Arbitrary<String> quantities() {
        return Arbitraries.oneOf(
                Arbitraries.of("", "Gi", "1e", "e3", "1.2.3", "--1", "1e999999999", "0x10", "1Zi", "NaN", "∞", "1 Gi"),
                Arbitraries.strings().withChars("0123456789.+-eEkKmMiGn").ofMaxLength(12));
    }
}
