package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the API server itself says about a Job's spec: every field and its form. */
public final class Schema {

    private static final String REFERENCE = "#/components/schemas/";
    private static final String JOB_SPEC = "io.k8s.api.batch.v1.JobSpec";

    private static final JsonNode UNKNOWN =
            new ObjectMapper().createObjectNode().put("type", "string");

    private final JsonNode definitions;
    private final Field spec;
    private final Map<String, Field> byPath;

    private Schema(JsonNode definitions, String root, String type) {
        this.definitions = definitions;
        this.spec = field(
                Optional.empty(), root, new ObjectMapper().createObjectNode().put("$ref", REFERENCE + type));
        this.byPath = spec.withDescendants().collect(Collectors.toMap(Field::path, field -> field));
    }

    /** Reads it from a running API server. */
    public static Schema of(ControlPlane controlPlane) {
        return of(controlPlane, "apis/batch/v1", "spec", JOB_SPEC);
    }

    /** That of a whole object: paths begin with a field of it. */
    public static Schema ofObjects(ControlPlane controlPlane, String api, String type) {
        return of(controlPlane, api, "", type);
    }

    private static Schema of(ControlPlane controlPlane, String api, String root, String type) {
        try {
            var document = new ObjectMapper().readTree(controlPlane.admin().raw("/openapi/v3/" + api));
            return new Schema(document.path("components").path("schemas"), root, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the API server's schema cannot be read", e);
        }
    }

    public Field spec() {
        return spec;
    }

    /** Every field of a Job's spec, and every element of its lists, in the order of the schema. */
    public List<Field> fields() {
        return spec.withDescendants().skip(1).toList();
    }

    /** By a path such as {@code spec.template.spec.containers[*].image}. */
    Field at(String path) {
        return Optional.ofNullable(byPath.get(path)).orElseThrow(() -> new IllegalArgumentException(path));
    }

    /** The same, and a text of that name where this API server does not know the field, and so drops it. */
    Field atOrUnknown(String path) {
        if (byPath.containsKey(path)) {
            return at(path);
        }
        var isElement = path.endsWith(Field.ELEMENT);
        var end = isElement ? path.length() - Field.ELEMENT.length() : path.lastIndexOf('.');
        return new Field(
                Optional.of(end < 0 ? spec : atOrUnknown(path.substring(0, end))),
                isElement ? Field.ELEMENT : path.substring(end + 1),
                Form.SCALAR,
                "",
                UNKNOWN,
                UNKNOWN,
                List.of());
    }

    boolean has(String path) {
        return byPath.containsKey(path);
    }

    private Field field(Optional<Field> parent, String step, JsonNode use) {
        var reference = Stream.concat(
                        Stream.of(use.path("$ref")),
                        use.path("allOf").valueStream().map(part -> part.path("$ref")))
                .filter(JsonNode::isTextual)
                .map(node -> node.textValue().substring(REFERENCE.length()))
                .findFirst();
        var type = reference.map(definitions::path).orElse(use);
        var typeName =
                reference.map(name -> name.substring(name.lastIndexOf('.') + 1)).orElse("");
        var field = new Field(parent, step, form(type), typeName, use, type, new ArrayList<>());
        if (field.form() == Form.STRUCT) {
            type.path("properties")
                    .properties()
                    .forEach(property ->
                            field.children.add(field(Optional.of(field), property.getKey(), property.getValue())));
        } else if (field.form() == Form.LIST) {
            field.children.add(field(Optional.of(field), Field.ELEMENT, type.path("items")));
        }
        return field;
    }

    private static Form form(JsonNode type) {
        if (type.has("properties")) {
            return Form.STRUCT;
        }
        if (type.has("additionalProperties")) {
            return Form.MAP;
        }
        return type.path("type").asText().equals("array") ? Form.LIST : Form.SCALAR;
    }

    /** The forms of a field. */
    public enum Form {
        STRUCT,
        LIST,
        MAP,
        SCALAR
    }

    /**
     * A field, or the elements of a list.
     *
     * @param parent the struct or list that it is part of; empty for the spec itself
     * @param step its name, or {@link #ELEMENT}
     * @param form what it holds
     * @param typeName of a struct or named scalar, without its package; else empty
     * @param use how the parent's schema describes it
     * @param type how the schema of its type describes it
     * @param children a struct's fields, or a list's elements
     */
    public record Field(
            Optional<Field> parent,
            String step,
            Form form,
            String typeName,
            JsonNode use,
            JsonNode type,
            List<Field> children) {

        static final String ELEMENT = "[*]";

        public String path() {
            return parent.map(Field::path)
                            .map(above -> above.isEmpty() || isElement() ? above : above + ".")
                            .orElse("")
                    + step;
        }

        public boolean isElement() {
            return step.equals(ELEMENT);
        }

        /** A name also for an element: its list's. */
        public String name() {
            return isElement() ? parent.orElseThrow().name() : step;
        }

        /** Whether the schema gives it an empty struct as its default: the server holds it by value. */
        public boolean isByValue() {
            return form == Form.STRUCT
                    && use.path("default").isObject()
                    && use.path("default").isEmpty();
        }

        boolean isRequired() {
            return parent.stream()
                    .flatMap(above -> above.type.path("required").valueStream())
                    .anyMatch(name -> name.asText().equals(step));
        }

        /** The type of the struct that it is in. */
        String owner() {
            return parent.map(above -> above.form == Form.STRUCT ? above.typeName : above.owner())
                    .orElse("");
        }

        Field element() {
            return children.getFirst();
        }

        /** From below the spec down to this one. */
        List<Field> chain() {
            var chain = new ArrayList<Field>();
            for (var field = this; field.parent.isPresent(); field = field.parent.get()) {
                chain.add(field);
            }
            Collections.reverse(chain);
            return chain;
        }

        Stream<Field> withDescendants() {
            return Stream.concat(Stream.of(this), children.stream().flatMap(Field::withDescendants));
        }

        /** By its path: the tree refers to itself. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Field field && field.path().equals(path());
        }

        @Override
        public int hashCode() {
            return path().hashCode();
        }

        @Override
        public String toString() {
            return path();
        }
    }
}
