package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/** Parts of Pods, without which random Jobs would hardly ever have the deep rows of the table, or what those hang on. */
final class JobParts {

    private static final List<JsonNode> PARTS = List.copyOf(Trees.documents("differential/parts-of-jobs.yaml"));
    private static final int ONE_IN = 5;

    private JobParts() {}

    /**
     * Adds some of them.
     *
     * @param isLegal asks the API server
     */
    static ObjectNode added(ObjectNode job, Random random, Predicate<ObjectNode> isLegal) {
        var drawn = PARTS.stream().filter(part -> random.nextInt(ONE_IN) == 0).toList();
        var all = with(job, drawn);
        if (drawn.isEmpty() || isLegal.test(all)) {
            return all;
        }
        var legal = job;
        for (var part : drawn) {
            var richer = with(legal, List.of(part));
            legal = isLegal.test(richer) ? richer : legal;
        }
        return legal;
    }

    private static ObjectNode with(ObjectNode job, List<JsonNode> parts) {
        var richer = job.deepCopy();
        parts.forEach(part -> merge((ObjectNode) richer.at("/spec/template/spec"), part));
        return richer;
    }

    private static void merge(ObjectNode struct, JsonNode part) {
        part.properties().forEach(field -> {
            var present = struct.path(field.getKey());
            if (present instanceof ObjectNode inner && field.getValue().isObject()) {
                merge(inner, field.getValue());
            } else if (present instanceof ArrayNode list) {
                field.getValue().forEach(element -> add(list, element));
            } else {
                struct.set(field.getKey(), field.getValue().deepCopy());
            }
        });
    }

    private static void add(ArrayNode list, JsonNode element) {
        named(list, element).ifPresentOrElse(same -> merge(same, element), () -> list.add(element.deepCopy()));
    }

    private static Optional<ObjectNode> named(ArrayNode list, JsonNode element) {
        return list.valueStream()
                .filter(each -> element.has("name") && each.path("name").equals(element.path("name")))
                .findFirst()
                .map(ObjectNode.class::cast);
    }
}
