package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * A label selector as the machine-config operator understands it: one that is missing or empty selects nothing, where
 * elsewhere in Kubernetes it would select everything.
 *
 * @param requirements all of which have to be met
 */
public record LabelSelector(List<Requirement> requirements) {

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /**
     * One condition.
     *
     * @param key of a label
     * @param operator one that does not exist is never met
     * @param values for In and NotIn
     */
    public record Requirement(String key, String operator, Set<String> values) {

        public Requirement {
            values = Set.copyOf(values);
        }

        boolean matches(Map<String, String> labels) {
            var value = labels.get(key);
            return switch (operator) {
                case "In" -> value != null && values.contains(value);
                case "NotIn" -> value == null || !values.contains(value);
                case "Exists" -> value != null;
                case "DoesNotExist" -> value == null;
                default -> false;
            };
        }
    }

    /** As a selector stands in an object. */
    public static LabelSelector of(JsonNode selector) {
        var requirements = new ArrayList<Requirement>();
        selector.path("matchLabels")
                .properties()
                .forEach(label -> requirements.add(new Requirement(
                        label.getKey(), "In", Set.of(label.getValue().asText()))));
        for (var expression : selector.path("matchExpressions")) {
            requirements.add(new Requirement(
                    expression.path("key").asText(),
                    expression.path("operator").asText(),
                    StreamSupport.stream(expression.path("values").spliterator(), false)
                            .map(JsonNode::asText)
                            .collect(Collectors.toSet())));
        }
        return new LabelSelector(requirements);
    }

    /** Whether an object with these labels meets all requirements, of which there are some. */
    public boolean selects(Map<String, String> labels) {
        return !requirements.isEmpty() && requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }
}
