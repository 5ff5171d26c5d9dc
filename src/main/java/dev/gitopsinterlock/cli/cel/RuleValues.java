package dev.gitopsinterlock.cli.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The values that a rule sees, as a schema types them. What does not fit it cannot be converted. */
final class RuleValues {

    /** What the language keeps for itself. */
    private static final Pattern RESERVED =
            Pattern.compile("true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop"
                    + "|package|namespace|return|var|void|while");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_./-][A-Za-z0-9_./-]*");
    private static final Pattern ESCAPED = Pattern.compile("__|[./-]");

    private static final Pattern GO_DURATION =
            Pattern.compile("([-+]?)((?:\\d++(?:\\.\\d++)?+(?:ns|us|µs|ms|s|m|h))++)");
    private static final Pattern GO_PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ns|us|µs|ms|s|m|h)");

    private RuleValues() {}

    static Object of(JsonNode value, JsonNode schema) {
        if (value.isNull()) {
            return fits(schema.path("nullable").asBoolean(), NullValue.NULL_VALUE);
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return fits(value.isTextual() || value.canConvertToLong(), plain(value));
        }
        return switch (schema.path("type").asText()) {
            case "object" -> fits(value.isObject(), object(value, schema));
            case "array" -> fits(value.isArray(), list(value, schema));
            case "string" ->
                string(
                        fits(value.isTextual(), value.asText()),
                        schema.path("format").asText());
            case "number" -> fits(value.isNumber(), value.asDouble());
            case "integer" -> fits(value.isIntegralNumber() && value.canConvertToLong(), value.asLong());
            case "boolean" -> fits(value.isBoolean(), value.asBoolean());
            default -> plain(value);
        };
    }

    private static <T> T fits(boolean does, T value) {
        if (!does) {
            throw new IllegalArgumentException("not what the schema says");
        }
        return value;
    }

    private static Map<String, Object> object(JsonNode value, JsonNode schema) {
        var properties = schema.path("properties");
        var others = schema.path("additionalProperties");
        var object = new HashMap<String, Object>();
        value.properties().forEach(field -> {
            var name = field.getKey();
            if (properties.has(name)) {
                object.put(escaped(name), of(field.getValue(), properties.get(name)));
            } else {
                object.put(name, others.isObject() ? of(field.getValue(), others) : plain(field.getValue()));
            }
        });
        return object;
    }

    /** What a rule calls a field; one that it cannot call keeps its name. */
    private static String escaped(String name) {
        if (RESERVED.matcher(name).matches()) {
            return "__" + name + "__";
        }
        return NAME.matcher(name).matches()
                ? ESCAPED.matcher(name).replaceAll(part -> switch (part.group()) {
                    case "." -> "__dot__";
                    case "/" -> "__slash__";
                    case "-" -> "__dash__";
                    default -> "__underscores__";
                })
                : name;
    }

    private static List<Object> list(JsonNode value, JsonNode schema) {
        var items = value.valueStream()
                .map(item -> of(item, schema.path("items")))
                .collect(Collectors.toCollection(ArrayList::new));
        return switch (schema.path("x-kubernetes-list-type").asText()) {
            case "set" -> new UnorderedList(items, item -> item);
            case "map" -> {
                var keys = schema.path("x-kubernetes-list-map-keys")
                        .valueStream()
                        .map(key -> escaped(key.asText()))
                        .toList();
                yield new UnorderedList(
                        items,
                        item -> keys.stream()
                                .map(key -> Optional.ofNullable(item instanceof Map<?, ?> map ? map.get(key) : null))
                                .toList());
            }
            default -> items;
        };
    }

    private static Object string(String text, String format) {
        return switch (format) {
            case "date-time" -> OffsetDateTime.parse(text).toInstant();
            case "date" -> startOf(text);
            case "duration" -> duration(text);
            case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
            default -> text;
        };
    }

    private static Instant startOf(String day) {
        return LocalDate.parse(day).atStartOfDay().toInstant(ZoneOffset.UTC);
    }

    private static Duration duration(String text) {
        var whole = GO_DURATION.matcher(text);
        fits(whole.matches(), text);
        var sum = GO_PART.matcher(whole.group(2))
                .results()
                .map(part -> new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(nanoseconds(part.group(2)))))
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .longValueExact();
        return Duration.ofNanos(whole.group(1).equals("-") ? -sum : sum);
    }

    private static long nanoseconds(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "us", "µs" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
        };
    }

    /** Of which no schema says what it is. */
    private static Object plain(JsonNode value) {
        if (value.isObject()) {
            var object = new HashMap<String, Object>();
            value.properties().forEach(field -> object.put(field.getKey(), plain(field.getValue())));
            return object;
        }
        if (value.isArray()) {
            return value.valueStream().map(RuleValues::plain).toList();
        }
        if (value.isNumber()) {
            return value.canConvertToLong() && value.isIntegralNumber() ? (Object) value.asLong() : value.asDouble();
        }
        if (value.isBoolean()) {
            return value.asBoolean();
        }
        return value.isNull() ? NullValue.NULL_VALUE : value.asText();
    }
}
