package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KnownNamesTest {

    private static final int KIBI = 1024;

    private final KnownNames names = new KnownNames(JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build());

    @Test
    void keepsANameFromOneSmallBodyToTheNext() throws IOException {
        assertThat(readName(9 * KIBI)).isSameAs(readName(9 * KIBI));
    }

    @Test
    void keepsNothingOfALargeBody() throws IOException {
        assertThat(readName(65 * KIBI)).isNotSameAs(readName(65 * KIBI));
    }

    @Test
    void forgetsAllAfterAMebibyte() throws IOException {
        Set<String> met = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int body = 0; body < 64; body++) {
            met.add(readName(64 * KIBI));
        }

        assertThat(met).hasSize(64 * 64 / KIBI);
    }

    /** The name of the one member in a body of this length. */
    private String readName(int length) throws IOException {
        var body = "{\"someName\":\"%s\"}".formatted("x".repeat(length - 15)).getBytes(StandardCharsets.UTF_8);
        assertThat(body).hasSize(length);
        try (var parser = names.factory(body.length).createParser(new ByteArrayInputStream(body))) {
            parser.nextToken();
            var name = parser.nextFieldName();
            parser.nextToken();
            parser.nextToken();
            return name;
        }
    }
}
