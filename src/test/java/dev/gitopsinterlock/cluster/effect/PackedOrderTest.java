package dev.gitopsinterlock.cluster.effect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.effect.Intents.Found.Order;
import dev.gitopsinterlock.effect.Effect.ObjectOperation;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What replicas leave for each other, who may be of different versions. */
class PackedOrderTest {

    @ParameterizedTest
    @EnumSource
    void orderIsReadAsItWasWritten(Tool tool) throws IOException {
        assertThat(PackedOrder.unpacked(PackedOrder.packed(order(tool)))).isEqualTo(order(tool));
    }

    @ParameterizedTest
    @EnumSource
    void toolIsNamedByItsConstant(Tool tool) throws IOException {
        assertThat(text(PackedOrder.packed(order(tool)))).contains("\"tool\":\"" + tool.name() + "\"");
    }

    @ParameterizedTest
    @EnumSource
    void toolOfAnotherVersionIsUnknown(Tool tool) throws IOException {
        var text = text(PackedOrder.packed(order(tool)))
                .replace("\"tool\":\"" + tool.name() + "\"", "\"tool\":\"NOT_WRITTEN_YET\"");

        assertThat(PackedOrder.unpacked(packed(text))).isEqualTo(order(Tool.UNKNOWN));
    }

    /** One whose signature is right all the same. */
    @Test
    void noMoreIsUnpackedThanAReviewMayHave() throws IOException {
        var bomb = packed(" ".repeat(8 * 1024 * 1024 + 1) + text(PackedOrder.packed(order(Tool.HELM))));

        assertThatIOException().isThrownBy(() -> PackedOrder.unpacked(bomb)).withMessageContaining("8388608");
    }

    private static Order order(Tool tool) {
        return new Order(operation(tool), "n-1", 1_795_000_000);
    }

    private static ObjectOperation operation(Tool tool) {
        var seen = JsonNodeFactory.instance.objectNode();
        seen.putObject("metadata").put("uid", "u-1");
        return new ObjectOperation(
                ResourceType.JOB,
                new ObjectName("shop", "db-migrate"),
                seen,
                new Requester("carol", "", List.of(), Map.of()),
                tool,
                List.of("spec.template"),
                JsonNodeFactory.instance.objectNode(),
                "helm",
                JsonNodeFactory.instance.arrayNode(),
                false);
    }

    private static String text(byte[] order) throws IOException {
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(order))) {
            return new String(gzip.readAllBytes(), UTF_8);
        }
    }

    private static byte[] packed(String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }
}
