package dev.gitopsinterlock.build.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;

/** Markdown as the repository's host reads it: with tables, and headings that can be linked to. Thread-safe. */
final class Markdown {

    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer HTML = HtmlRenderer.builder()
            .extensions(EXTENSIONS)
            .escapeHtml(true)
            .sanitizeUrls(true)
            .build();
    private static final TextContentRenderer TEXT =
            TextContentRenderer.builder().extensions(EXTENSIONS).build();

    private Markdown() {}

    static Node parse(String text) {
        return PARSER.parse(text);
    }

    static String html(Node document) {
        return HTML.render(document);
    }

    /** The text of the first heading. */
    static String title(Node document) {
        var titles = new ArrayList<String>();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                titles.add(TEXT.render(heading).strip());
            }
        });
        return titles.getFirst();
    }

    /** Calls it for each link, which it may change or take away. */
    static void forEachLink(Node document, Consumer<Link> action) {
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                visitChildren(link);
                action.accept(link);
            }
        });
    }
}
