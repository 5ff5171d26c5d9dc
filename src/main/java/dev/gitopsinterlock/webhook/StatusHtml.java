package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.config.PackagedFile;
import dev.gitopsinterlock.page.StatusPage;
import io.quarkus.qute.Engine;
import io.quarkus.qute.HtmlEscaper;
import io.quarkus.qute.ReflectionValueResolver;
import io.quarkus.qute.Template;
import io.quarkus.qute.Variant;
import java.util.List;

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
            .parse(PackagedFile.text("/status/page.html"), Variant.forContentType(Variant.TEXT_HTML));

    private StatusHtml() {}

    static String of(StatusPage page) {
        return TEMPLATE.data("page", page).render();
    }
}
