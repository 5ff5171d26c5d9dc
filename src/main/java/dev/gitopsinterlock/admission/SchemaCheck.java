package dev.gitopsinterlock.admission;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The form that the API server gives a part of a request. Checked before a rule looks at it, so that no rule has to
 * fear what a stranger sends.
 *
 * @param required parts that have to be there
 * @param optional parts that may be absent
 */
public record SchemaCheck(List<Part> required, List<Part> optional) {

    /** Those of roles may have more than the letters of DNS. None of these means anything to a shell. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9.:_-]{0,253}");

    private static final Map<String, Operation> OPERATIONS = Arrays.stream(Operation.values())
            .collect(Collectors.toUnmodifiableMap(Operation::name, Function.identity()));

    /** What every rule reads of the request itself. */
    static final SchemaCheck REQUEST = new SchemaCheck(
            List.of(),
            List.of(
                    part("/userInfo", JsonNode::isObject),
                    part("/userInfo/username", JsonNode::isTextual),
                    part("/userInfo/uid", JsonNode::isTextual),
                    part("/userInfo/groups", JsonNode::isArray),
                    part("/userInfo/extra", JsonNode::isObject),
                    part("/options", JsonNode::isObject),
                    part("/options/fieldManager", JsonNode::isTextual),
                    part("/subResource", JsonNode::isTextual),
                    part("/dryRun", JsonNode::isBoolean),
                    part("/name", SchemaCheck::isName),
                    part("/namespace", SchemaCheck::isName)));

    public SchemaCheck {
        required = List.copyOf(required);
        optional = List.copyOf(optional);
    }

    /** Where something is, and what it has to be. */
    public record Part(JsonPointer pointer, Predicate<JsonNode> isAsExpected) {}

    public static Part part(String pointer, Predicate<JsonNode> isAsExpected) {
        return new Part(JsonPointer.compile(pointer), isAsExpected);
    }

    /** What a request is for, if that is anything known. */
    public static Optional<Operation> operation(JsonNode request) {
        return Optional.ofNullable(OPERATIONS.get(request.path("operation").asText()));
    }

    /** The path of the first part that is wrong: of the request, or of the objects that its operation comes with. */
    public static Optional<String> fault(JsonNode request, SchemaCheck object) {
        var operation = operation(request);
        if (operation.isEmpty()) {
            return Optional.of("request.operation");
        }
        var objects = switch (operation.get()) {
            case CREATE -> List.of("object");
            case UPDATE -> List.of("object", "oldObject");
            case DELETE -> List.of("oldObject");
            case CONNECT -> List.<String>of();
        };
        return REQUEST.fault("request", request)
                .or(() -> objects.stream()
                        .flatMap(name -> object.fault(name, request.path(name)).stream())
                        .findFirst());
    }

    private Optional<String> fault(String name, JsonNode node) {
        return wrong(required, node, true)
                .or(() -> wrong(optional, node, false))
                .map(part -> name + part.pointer().toString().replace('/', '.'));
    }

    /** A loop, because this is done about forty parts of every review. */
    private static Optional<Part> wrong(List<Part> parts, JsonNode node, boolean areRequired) {
        for (var part : parts) {
            var found = node.at(part.pointer());
            var isAbsent = found.isMissingNode() || found.isNull();
            if (isAbsent ? areRequired : !part.isAsExpected().test(found)) {
                return Optional.of(part);
            }
        }
        return Optional.empty();
    }

    public static boolean isName(JsonNode node) {
        return node.isTextual() && NAME.matcher(node.textValue()).matches();
    }

    public static boolean isMapOfText(JsonNode node) {
        return node.isObject()
                && node.properties().stream().allMatch(entry -> entry.getValue().isTextual());
    }

    /** JSON's null, which the API server sends for an object that an operation does not have, is nothing. */
    public static JsonNode objectAt(JsonNode request, String name) {
        var object = request.path(name);
        return object.isObject() ? object : MissingNode.getInstance();
    }

    /** The text of a node; empty for JSON's null, too, which Jackson would spell out. */
    public static String text(JsonNode node) {
        return node.isTextual() ? node.textValue() : "";
    }
}
