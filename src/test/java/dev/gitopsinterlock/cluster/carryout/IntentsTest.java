package dev.gitopsinterlock.cluster.carryout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.carryout.Effect.ObjectOperation;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What replicas leave for each other, who may be of different versions. */
class IntentsTest {

    @ParameterizedTest
    @EnumSource
    void operationIsReadAsItWasWritten(Tool tool) throws IOException {
        assertThat(Intents.decoded(Intents.encoded(operation(tool)))).isEqualTo(operation(tool));
    }

    @ParameterizedTest
    @EnumSource
    void toolIsNamedByItsConstant(Tool tool) throws IOException {
        assertThat(text(Intents.encoded(operation(tool)))).contains("\"tool\":\"" + tool.name() + "\"");
    }

    @ParameterizedTest
    @EnumSource
    void toolOfAnotherVersionIsUnknown(Tool tool) throws IOException {
        var order = text(Intents.encoded(operation(tool)))
                .replace("\"tool\":\"" + tool.name() + "\"", "\"tool\":\"NOT_WRITTEN_YET\"");

        assertThat(Intents.decoded(encoded(order))).isEqualTo(operation(Tool.UNKNOWN));
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

    private static String text(String order) throws IOException {
        try (var gzip =
                new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(order)))) {
            return new String(gzip.readAllBytes(), UTF_8);
        }
    }

    private static String encoded(String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(UTF_8));
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
