package dev.gitopsinterlock.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Something that an account may do.
 *
 * @param group of the API; empty for the core
 * @param resource in the plural
 * @param name of the one object that it is about; empty for all
 * @param namespace that it is needed in; empty for all
 */
record Right(String verb, String group, String resource, String name, String namespace) {

    static List<Right> of(List<String> verbs, String group, String resource, String name, String namespace) {
        return verbs.stream()
                .map(verb -> new Right(verb, group, resource, name, namespace))
                .toList();
    }

    /** A role of one's own may name a few resources where the chart's names all. */
    boolean isGrantedBy(JsonNode rule) {
        return has(rule.path("apiGroups"), group)
                && (resource.equals("*") || has(rule.path("resources"), resource))
                && has(rule.path("verbs"), verb)
                && (rule.path("resourceNames").isEmpty() || contains(rule.path("resourceNames"), name));
    }

    private static boolean has(JsonNode list, String word) {
        return contains(list, word) || contains(list, "*");
    }

    private static boolean contains(JsonNode list, String word) {
        return list.valueStream().anyMatch(each -> each.asText().equals(word));
    }

    /** For people: what, and where. */
    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group) + (name.isEmpty() ? "" : " " + name)
                + (namespace.isEmpty() ? "" : " in " + namespace);
    }
}
