package dev.gitopsinterlock.cluster.effect;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.cluster.effect.Intents.Found.Order;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.tool.Tool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An order as the bytes that a Secret holds, and what shows that a replica of this release wrote them. */
final class PackedOrder {

    /** An order is a part of a review: quarkus.http.limits.max-body-size. */
    private static final int LARGEST = 8 * 1024 * 1024;

    /** Replicas of another version may know other fields, and other tools, whose names choose words only. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .addHandler(new DeserializationProblemHandler() {
                @Override
                public Object handleWeirdStringValue(
                        DeserializationContext context, Class<?> target, String word, String failure) {
                    return target == Tool.class ? Tool.UNKNOWN : NOT_HANDLED;
                }
            })
            .build();

    private PackedOrder() {}

    static byte[] packed(Order order) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(MAPPER.writeValueAsBytes(order));
        }
        return bytes.toByteArray();
    }

    static Order unpacked(byte[] order) throws IOException {
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(order))) {
            var text = gzip.readNBytes(LARGEST + 1);
            if (text.length > LARGEST) {
                throw new IOException("an intent of more than %d bytes".formatted(LARGEST));
            }
            return MAPPER.readValue(text, Order.class);
        }
    }

    /** An operation whose old object is reduced to its uid. */
    static ObjectOperation withUidOnly(ObjectOperation operation) {
        var seen = JsonNodeFactory.instance.objectNode();
        seen.putObject("metadata").put("uid", operation.uid());
        return new ObjectOperation(
                operation.type(),
                operation.object(),
                seen,
                operation.requester(),
                operation.tool(),
                operation.fields(),
                operation.newObject(),
                operation.fieldManager(),
                operation.owners(),
                operation.dryRun());
    }

    /** Of the order under its name: a copy under another one has none. */
    static byte[] signature(String name, byte[] order, byte[] key) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
            // no name of an object has a line's end
            mac.update((name + "\n").getBytes(UTF_8));
            return mac.doFinal(order);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has it", e);
        }
    }
}
