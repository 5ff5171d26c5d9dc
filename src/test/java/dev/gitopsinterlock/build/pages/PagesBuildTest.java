package dev.gitopsinterlock.build.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Tool;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PagesBuildTest {

    private static final Pattern LINK = Pattern.compile("href=\"([^\"#]*)(?:#([^\"]*))?\"");

    private final Map<String, String> pages = new PagesBuild().pages();

    @Test
    void everyCodeHasAPage() {
        var codes = Stream.of(Tool.codes(), GuidanceCode.OF_JOB_EDITS, GuidanceCode.OF_OTHERS)
                .flatMap(each -> each.stream().map(GuidanceCode::token))
                .toList();

        assertThat(pages).containsKeys(codes.toArray(String[]::new)).containsKey(PagesBuild.INDEX);
    }

    @Test
    void everyLinkBetweenPagesLeadsSomewhere() {
        var lost = new TreeSet<String>();
        pages.forEach((name, html) -> LINK.matcher(html)
                .results()
                .filter(link -> !link.group(1).startsWith("https://"))
                .forEach(link -> {
                    var target = link.group(1).isEmpty() ? name : link.group(1).replace("./", PagesBuild.INDEX);
                    var page = pages.getOrDefault(target, "");
                    if (page.isEmpty() || (link.group(2) != null && !page.contains("id=\"" + link.group(2) + "\""))) {
                        lost.add(name + ": " + link.group());
                    }
                }));

        assertThat(lost).isEmpty();
    }

    @Test
    void linksThatLeaveThePagesAreText() {
        assertThat(pages.get("operations")).contains("client certificates").doesNotContain("../", ".md\"", ".md#");
    }

    @Test
    void aPageHasItsTablesAndItsTitle() {
        assertThat(pages.get("configuration")).contains("<table>", "<title>");
        assertThat(pages.get("HelmJobEdit")).contains("<title>HelmJobEdit</title>", "<pre><code");
    }
}
