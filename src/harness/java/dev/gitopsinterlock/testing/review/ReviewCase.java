package dev.gitopsinterlock.testing.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.effect.Outcome;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of {@code src/test/resources/reviews/jobs}, or a row of a table there: a request and the answer expected to it.
 * The files' form is explained in {@code reviews/README.md}.
 *
 * @param name of the folder or row
 * @param file what is said of the request
 * @param expected what is said of the answer
 */
public record ReviewCase(String name, JsonNode file, JsonNode expected) {

    static final String FOLDER = "reviews/jobs";

    public static List<ReviewCase> all() {
        return Stream.concat(
                        CaseFolders.names(FOLDER).stream().map(ReviewCase::inFolder),
                        ReviewTable.ALL.stream().flatMap(ReviewTable::cases))
                .toList();
    }

    public static ReviewCase named(String name) {
        return all().stream()
                .filter(given -> given.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static ReviewCase inFolder(String name) {
        var folder = FOLDER + "/" + name;
        return new ReviewCase(
                name, Trees.resource(folder + "/request.yaml"), Trees.resource(folder + "/expected.yaml"));
    }

    /** The AdmissionReview; a new tree for each call. */
    public ObjectNode review() {
        if (file.path("kind").asText().equals("AdmissionReview")) {
            return file.deepCopy();
        }
        var live = Jobs.live(file.path("live").asText("finished"));
        Trees.change(live, file.path("liveIs"));
        var submitted = file.path("manifest").asBoolean() ? Jobs.manifest(live) : live.deepCopy();
        Trees.change(submitted, file.path("edit"));
        var requester = file.path("requester").asText("kubectlApply");
        var owner = file.path("owner").asText("nobody");
        var review = switch (file.path("operation").asText("UPDATE")) {
            case "CREATE" -> Reviews.create(submitted, requester, owner);
            case "DELETE" -> Reviews.delete(submitted, requester, owner);
            default -> Reviews.update(live, submitted, requester, owner);
        };
        Trees.change(review.withObject("/request"), file.path("request"));
        return review;
    }

    /** Where the API server sends it. */
    public String path() {
        return "/" + file.path("endpoint").asText("mutate") + "/jobs";
    }

    /** Whether the request goes to the endpoint of the validating registration. */
    public boolean asksForAdvice() {
        return path().equals("/validate/jobs");
    }

    /** Whether the answer is no review. */
    public boolean isMalformed() {
        return expected.path("verdict").asText().equals("malformed");
    }

    /** What the cluster makes of an effect. */
    public Outcome outcome() {
        return outcome(file.path("outcome"));
    }

    /** What the cluster makes of an effect, as a case says it: a word, or a word with what belongs to it. */
    public static Outcome outcome(JsonNode given) {
        var words = given.elements().hasNext() ? given.elements().next().asText() : "";
        return switch (given.isObject() ? given.fieldNames().next() : given.asText("Done")) {
            case "Done" -> new Outcome.Done();
            case "Superseded" -> new Outcome.Superseded();
            case "NotImpersonated" -> new Outcome.NotImpersonated(words);
            case "RightsMissing" -> new Outcome.RightsMissing(List.of(words.split(",", -1)));
            case "Refused" -> new Outcome.Refused(words);
            case "Unavailable" -> new Outcome.Unavailable(words);
            case "RecreateFailed" -> new Outcome.RecreateFailed(words);
            default -> throw new IllegalArgumentException("outcome: " + given);
        };
    }

    /** Writes the expectation anew, to be read before it is committed. */
    public void expect(JsonNode outcome) {
        ReviewTable.ALL.stream()
                .filter(table -> table.rows().has(name))
                .findFirst()
                .ifPresentOrElse(
                        table -> table.expect(name, outcome),
                        () -> CaseFolders.expect(FOLDER, name, Trees.yaml(outcome)));
    }

    public JsonNode policy() {
        return file.path("policy");
    }

    @Override
    public String toString() {
        return name;
    }
}
