package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.system.differential.Edits.Target;
import dev.gitopsinterlock.system.differential.Schema.Field;
import dev.gitopsinterlock.system.differential.Schema.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Edits one place of a spec: changes, adds or removes it, says the same in other words, or reorders a list. */
final class Editor {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Random random;
    private final Values values;

    Editor(Random random) {
        this.random = random;
        this.values = new Values(random);
    }

    /** What was done to a field. */
    enum Change {
        ADDED,
        ADDED_EMPTY,
        CHANGED,
        EMPTIED,
        RESPELLED,
        REMOVED,
        REORDERED
    }

    /** A field and what was done to it. */
    record Place(Field field, Change change) {
        @Override
        public String toString() {
            return field + " " + change;
        }
    }

    /** Adds the field with nothing in it, or takes it away, whatever is in it. */
    Optional<Place> emptyOrNot(ObjectNode spec, Field field) {
        if (!(container(spec, field) instanceof ObjectNode struct)) {
            return Optional.empty();
        }
        if (struct.hasNonNull(field.step())) {
            struct.remove(field.step());
            return Optional.of(new Place(field, Change.REMOVED));
        }
        put(struct, field, values.empty(field));
        return Optional.of(new Place(field, Change.ADDED_EMPTY));
    }

    /** Edits the field, making what is missing on the way to it; empty if the spec has another form there. */
    Optional<Place> edit(ObjectNode spec, Field field) {
        var container = container(spec, field);
        if (field.isElement()) {
            return container instanceof ArrayNode list ? Optional.of(editElement(list, field)) : Optional.empty();
        }
        return container instanceof ObjectNode struct ? Optional.of(editField(struct, field)) : Optional.empty();
    }

    /** Edits one of the fields of which all is there that it is part of, so that nothing else changes. */
    Optional<Place> editInPlace(ObjectNode spec, List<Field> fields) {
        var reachable =
                fields.stream().filter(field -> !structs(spec, field).isEmpty()).toList();
        if (reachable.isEmpty()) {
            return Optional.empty();
        }
        var field = reachable.get(random.nextInt(reachable.size()));
        var structs = structs(spec, field);
        var struct = structs.get(random.nextInt(structs.size()));
        if (struct.hasNonNull(field.step())) {
            return Optional.of(editField(struct, field));
        }
        struct.set(field.step(), values.full(field));
        return Optional.of(new Place(field, Change.ADDED));
    }

    /** Where the field is, or could be. */
    private static List<ObjectNode> structs(ObjectNode spec, Field field) {
        var chain = field.chain();
        Stream<JsonNode> nodes = Stream.of(spec);
        for (var above : chain.subList(0, chain.size() - 1)) {
            nodes = above.isElement()
                    ? nodes.flatMap(JsonNode::valueStream)
                    : nodes.map(node -> node.path(above.step()));
        }
        return nodes.filter(ObjectNode.class::isInstance)
                .map(ObjectNode.class::cast)
                .toList();
    }

    /** Sets the field to a value as a person would write it. */
    void set(ObjectNode spec, Field field) {
        var container = container(spec, field);
        if (container instanceof ObjectNode struct) {
            put(struct, field, values.full(field));
        } else if (container instanceof ArrayNode list) {
            list.add(values.full(field));
        }
    }

    /** What holds the field; what is missing on the way is made. */
    private JsonNode container(ObjectNode spec, Field field) {
        JsonNode container = spec;
        var chain = field.chain();
        for (int i = 0; i < chain.size() - 1; i++) {
            container = step(container, chain.get(i), chain.get(i + 1));
        }
        return container;
    }

    private JsonNode step(JsonNode container, Field field, Field next) {
        if (field.isElement()) {
            return container instanceof ArrayNode list ? element(list, field, next) : container;
        }
        if (!(container instanceof ObjectNode struct)) {
            return container;
        }
        if (!struct.hasNonNull(field.step())) {
            put(struct, field, values.minimal(field));
        }
        return struct.path(field.step());
    }

    /** Rather one that has the next field already, so that values change and are not only added. */
    private JsonNode element(ArrayNode list, Field field, Field next) {
        if (list.isEmpty() || random.nextInt(10) == 0) {
            list.add(values.minimal(field));
            return list.path(list.size() - 1);
        }
        var having = StreamSupport.stream(list.spliterator(), false)
                .filter(element -> element.hasNonNull(next.step()))
                .toList();
        return having.isEmpty() || random.nextInt(3) == 0
                ? list.path(random.nextInt(list.size()))
                : having.get(random.nextInt(having.size()));
    }

    private Place editField(ObjectNode struct, Field field) {
        var present = struct.path(field.step());
        if (present.isMissingNode() || present.isNull()) {
            var isEmpty = random.nextInt(4) == 0;
            put(struct, field, isEmpty ? values.empty(field) : values.full(field));
            return new Place(field, isEmpty ? Change.ADDED_EMPTY : Change.ADDED);
        }
        return switch (random.nextInt(6)) {
            case 0 -> {
                struct.remove(field.step());
                yield new Place(field, Change.REMOVED);
            }
            case 1 -> {
                struct.set(field.step(), random.nextBoolean() ? values.empty(field) : JSON.nullNode());
                yield new Place(field, Change.EMPTIED);
            }
            default -> change(struct, field, present);
        };
    }

    private Place change(ObjectNode struct, Field field, JsonNode present) {
        return switch (present) {
            case ArrayNode list -> editElement(list, field.element());
            case ObjectNode map when field.form() == Form.MAP -> editEntry(map, field);
            case ObjectNode inner
            when field.form() == Form.STRUCT && random.nextInt(3) > 0 ->
                editField(
                        inner,
                        field.children().get(random.nextInt(field.children().size())));
            default -> {
                var respelled = Values.isQuantity(field) ? values.respelled(present) : Optional.<JsonNode>empty();
                if (respelled.isPresent()) {
                    struct.set(field.step(), respelled.get());
                    yield new Place(field, Change.RESPELLED);
                }
                struct.set(field.step(), other(field, present));
                yield new Place(field, Change.CHANGED);
            }
        };
    }

    private JsonNode other(Field field, JsonNode present) {
        return IntStream.range(0, 5)
                .mapToObj(attempt -> values.full(field))
                .filter(value -> !value.equals(present))
                .findFirst()
                .orElseGet(() -> values.full(field));
    }

    private Place editEntry(ObjectNode map, Field field) {
        var keys = new ArrayList<String>();
        map.fieldNames().forEachRemaining(keys::add);
        var action = keys.isEmpty() ? 0 : random.nextInt(4);
        if (action == 0) {
            map.set(values.mapKey(field), values.mapValue(field));
            return new Place(field, Change.ADDED);
        }
        var key = keys.get(random.nextInt(keys.size()));
        if (action == 1) {
            map.remove(key);
            return new Place(field, Change.REMOVED);
        }
        var respelled = values.respelled(map.path(key));
        map.set(key, action == 2 && respelled.isPresent() ? respelled.get() : values.mapValue(field));
        return new Place(field, action == 2 && respelled.isPresent() ? Change.RESPELLED : Change.CHANGED);
    }

    private Place editElement(ArrayNode list, Field element) {
        if (list.isEmpty()) {
            list.add(values.full(element));
            return new Place(element, Change.ADDED);
        }
        var index = random.nextInt(list.size());
        return switch (random.nextInt(5)) {
            case 0 -> {
                list.insert(random.nextBoolean() ? 0 : list.size(), values.full(element));
                yield new Place(element, Change.ADDED);
            }
            case 1 -> {
                list.remove(index);
                yield new Place(element, Change.REMOVED);
            }
            case 2, 3 -> {
                if (list.size() > 1) {
                    list.insert(0, list.remove(Math.max(1, index)));
                    yield new Place(element, Change.REORDERED);
                }
                yield changeElement(list, index, element);
            }
            default -> changeElement(list, index, element);
        };
    }

    private Place changeElement(ArrayNode list, int index, Field element) {
        if (list.path(index) instanceof ObjectNode struct && element.form() == Form.STRUCT) {
            return editField(
                    struct,
                    element.children().get(random.nextInt(element.children().size())));
        }
        list.set(index, other(element, list.path(index)));
        return new Place(element, Change.CHANGED);
    }

    private void put(ObjectNode struct, Field field, JsonNode value) {
        values.dropRivals(struct, field);
        struct.set(field.step(), value);
    }

    /** Several places, for edits that touch more than one. */
    List<Place> editAll(ObjectNode spec, List<Target> targets) {
        return targets.stream()
                .flatMap(target -> (target.isEmptyOrNot()
                                ? emptyOrNot(spec, target.field())
                                : edit(spec, target.field()))
                        .stream())
                .toList();
    }
}
