package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.page.StatusPage;
import io.quarkus.qute.Engine;
import io.quarkus.qute.HtmlEscaper;
import io.quarkus.qute.ReflectionValueResolver;
import io.quarkus.qute.Template;
import io.quarkus.qute.Variant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/**
 * The status page as HTML, in which every name is escaped. The template is read when the first one looks, so that no start
 * pays for it; a word in it that the page does not have is an exception.
 */
final class StatusHtml {

    private static final Template TEMPLATE = Engine.builder()
            .addDefaults()
            .addValueResolver(new ReflectionValueResolver())
            .addResultMapper(new HtmlEscaper(List.of(Variant.TEXT_HTML)))
            .removeStandaloneLines(true)
            .strictRendering(true)
            .build()
            .parse(text(), Variant.forContentType(Variant.TEXT_HTML));

    private StatusHtml() {}

    static String of(StatusPage page) {
        return TEMPLATE.data("page", page).render();
    }

    private static String text() {
        try (var file = StatusHtml.class.getResourceAsStream("/status/page.html")) {
            return new String(Objects.requireNonNull(file, "page.html").readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
