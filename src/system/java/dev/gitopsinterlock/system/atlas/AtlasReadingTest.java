package dev.gitopsinterlock.system.atlas;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.testing.cluster.KindSamples;
import dev.gitopsinterlock.testing.cluster.KindSamples.Sample;
import io.fabric8.zjsonpatch.JsonDiff;
import io.fabric8.zjsonpatch.JsonPatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Another tool, which has nothing but the file and follows the steps of the page. */
class AtlasReadingTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> MOST_PERMISSIVE_FIRST = List.of("accepted", "ignored", "depends", "refused");
    private static final JsonNode ATLAS = read();

    private static JsonNode read() {
        try {
            return JSON.readTree(Path.of("docs/immutability/atlas.json").toFile());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<Sample> samples() {
        return GuardedKinds.BESIDE_JOB.stream().flatMap(kind -> KindSamples.of(kind).stream());
    }

    /** {@code KindEditIT} shows that Kubernetes refuses it. */
    @ParameterizedTest
    @MethodSource("samples")
    void itKnowsWhatIsRefused(Sample sample) throws JsonProcessingException {
        var patch = sample.refused()
                .orElse("[{\"op\": \"add\", \"path\": \"/metadata/finalizers\", \"value\": [\"a/b\"]}]");
        var after = JsonPatch.apply(JSON.readTree(patch), sample.object());

        assertThat(ATLAS.path("kubernetes").valueStream().map(JsonNode::textValue))
                .isNotEmpty()
                .allSatisfy(minor -> assertThat(effects(sample.object(), after, minor))
                        .as(minor)
                        .anyMatch(effect -> effect.equals(sample.refused().isPresent() ? "refused" : "accepted")));
    }

    private static List<String> effects(JsonNode before, JsonNode after, String minor) {
        var fields = ATLAS.path("kinds")
                .valueStream()
                .filter(kind -> kind.path("apiVersion").equals(before.path("apiVersion"))
                        && kind.path("kind").equals(before.path("kind")))
                .flatMap(kind -> kind.path("fields").valueStream())
                .toList();
        return JsonDiff.asJson(before, after)
                .valueStream()
                .map(difference -> effect(fields, difference, before, minor))
                .toList();
    }

    private static String effect(List<JsonNode> fields, JsonNode difference, JsonNode before, String minor) {
        var path =
                Arrays.asList(difference.path("path").textValue().substring(1).split("/", -1));
        return fields.stream()
                .filter(field -> isAbove(pattern(field), path))
                .sorted(Comparator.comparingInt(field -> -pattern(field).size()))
                .map(field -> field.path("cases")
                        .valueStream()
                        .filter(each -> holds(each.path("when").textValue(), pattern(field), path, difference, before))
                        .findFirst()
                        .orElseThrow()
                        .path("kubernetes")
                        .path(minor)
                        .path("effect")
                        .textValue())
                .min(Comparator.comparingInt(MOST_PERMISSIVE_FIRST::indexOf))
                .orElse("accepted");
    }

    private static List<String> pattern(JsonNode field) {
        return Arrays.asList(field.path("path").textValue().replace("[*]", ".*").split("\\.", -1));
    }

    private static boolean isAbove(List<String> pattern, List<String> path) {
        return pattern.size() <= path.size()
                && Stream.iterate(0, i -> i < pattern.size(), i -> i + 1)
                        .allMatch(i ->
                                pattern.get(i).equals("*") || pattern.get(i).equals(path.get(i)));
    }

    private static boolean holds(
            String when, List<String> pattern, List<String> path, JsonNode difference, JsonNode before) {
        return switch (when) {
            case "always", "otherwise" -> true;
            case "field-added" -> difference.path("op").textValue().equals("add") && pattern.size() == path.size();
            case "marked-immutable" -> before.path("immutable").asBoolean();
            case "claim-bound" -> before.at("/status/phase").asText().equals("Bound");
            default -> throw new IllegalArgumentException(when);
        };
    }
}
