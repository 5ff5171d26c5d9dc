package dev.gitopsinterlock.job.effect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.ManagedFieldsEntries;
import dev.gitopsinterlock.effect.OurMetadata;
import dev.gitopsinterlock.job.Containers;
import dev.gitopsinterlock.job.DefaultedFields;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which fields the client's own manifest has, as far as its request tells: an apply by the server leaves their names in
 * {@code metadata.managedFields}, one by the client leaves the manifest in an annotation. No other request tells.
 */
sealed interface SentManifest {

    /** Whether the Job's spec has the field. */
    boolean has(String field);

    /**
     * Whether a container has the field.
     *
     * @param list the one it is in, of the Pod's spec
     * @param container by its name
     */
    boolean has(String list, String container, String... field);

    /** Nothing where the request does not tell. */
    static Optional<SentManifest> of(Change change) {
        var manager = change.manager();
        if (manager.method() == Method.APPLY) {
            var applied =
                    ManagedFieldsEntries.applied(change.after().path("metadata").path("managedFields"));
            return applied.isEmpty() ? Optional.empty() : Optional.of(new Owned(applied));
        }
        var text = change.after().at(Written.ANNOTATION).asText();
        return text.isEmpty()
                        || text.equals(change.before().at(Written.ANNOTATION).asText())
                ? Optional.empty()
                : Written.read(text);
    }

    /** The names of what is applied by the server, by whichever clients do that. */
    record Owned(JsonNode entries) implements SentManifest {

        @Override
        public boolean has(String field) {
            return entries.valueStream()
                    .anyMatch(entry -> entry.path("fieldsV1").path("f:spec").has("f:" + field));
        }

        @Override
        public boolean has(String list, String container, String... field) {
            return entries.valueStream().anyMatch(entry -> has(entry.path("fieldsV1"), list, container, field));
        }

        private static boolean has(JsonNode fields, String list, String container, String... field) {
            var at = fields.path("f:spec")
                    .path("f:template")
                    .path("f:spec")
                    .path("f:" + list)
                    .path("k:" + JsonNodeFactory.instance.objectNode().put("name", container));
            for (var name : field) {
                at = at.path("f:" + name);
            }
            return !at.isMissingNode();
        }
    }

    /** The manifest itself. */
    record Written(JsonNode manifest) implements SentManifest {

        private static final JsonPointer ANNOTATION =
                OurMetadata.annotation("kubectl.kubernetes.io/last-applied-configuration");

        /** Nothing is said about a longer one. */
        private static final int LONGEST = 64 * 1024;

        private static final JsonFactory FACTORY = JsonFactory.builder()
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();

        private static final String REQUESTS = "requests";

        /** What anybody asks about, and what that is in; all else is passed over. */
        private static final Set<String> READ = Stream.of(
                        Set.of("spec", "template", "name", "resources"), Containers.LISTS, DefaultedFields.NAMES)
                .flatMap(Collection::stream)
                .collect(Collectors.toUnmodifiableSet());

        private static Optional<SentManifest> read(String text) {
            if (text.length() > LONGEST) {
                return Optional.empty();
            }
            try (var parser = FACTORY.createParser(text)) {
                parser.nextToken();
                return Optional.of(new Written(read(parser)));
            } catch (IOException e) {
                // anybody can write anything there
                return Optional.empty();
            }
        }

        private static JsonNode read(JsonParser parser) throws IOException {
            return switch (parser.currentToken()) {
                case START_OBJECT -> readObject(parser);
                case START_ARRAY -> {
                    var array = JsonNodeFactory.instance.arrayNode();
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        array.add(read(parser));
                    }
                    yield array;
                }
                case VALUE_STRING -> JsonNodeFactory.instance.textNode(parser.getText());
                case null, default -> JsonNodeFactory.instance.booleanNode(true);
            };
        }

        private static ObjectNode readObject(JsonParser parser) throws IOException {
            var object = JsonNodeFactory.instance.objectNode();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var name = parser.currentName();
                var value = parser.nextToken();
                if (value == JsonToken.VALUE_NULL) {
                    continue;
                }
                if (READ.contains(name)) {
                    object.set(name, name.equals(REQUESTS) ? readNames(parser) : read(parser));
                } else {
                    parser.skipChildren();
                }
            }
            return object;
        }

        /** The names of all members, each without its value. */
        private static JsonNode readNames(JsonParser parser) throws IOException {
            var object = JsonNodeFactory.instance.objectNode();
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                parser.skipChildren();
                return object;
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                object.put(parser.currentName(), true);
                parser.nextToken();
                parser.skipChildren();
            }
            return object;
        }

        @Override
        public boolean has(String field) {
            return manifest.path("spec").has(field);
        }

        @Override
        public boolean has(String list, String container, String... field) {
            var at = Containers.named(
                    manifest.path("spec").path("template").path("spec").path(list), container);
            if (at.isMissingNode()) {
                // it is another Job's manifest, or none
                return true;
            }
            for (var name : field) {
                at = at.path(name);
            }
            return !at.isMissingNode();
        }
    }
}
