package dev.gitopsinterlock.build.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link of a page leads somewhere, as the repository's host would show it. What lies elsewhere is not asked for. */
class RepositoryLinksTest {

    private static final Path PROJECT = Project.directory();
    private static final Pattern ANCHOR = Pattern.compile(" id=\"([^\"]+)\"");
    private static final Pattern ELSEWHERE = Pattern.compile("https?://.+");

    @Test
    void everyLinkLeadsSomewhere() throws IOException {
        var lost = new TreeSet<String>();
        var links = 0;
        for (var page : pages()) {
            for (var target : targets(page)) {
                links++;
                if (!leadsSomewhere(page, target)) {
                    lost.add(PROJECT.relativize(page) + ": " + target);
                }
            }
        }

        assertThat(links).isGreaterThan(300);
        assertThat(lost).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        var built = Set.of(PROJECT.resolve("target"), PROJECT.resolve(".git"));
        try (var files = Files.walk(PROJECT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> built.stream().noneMatch(file::startsWith))
                    .toList();
        }
    }

    private static List<String> targets(Path page) throws IOException {
        var targets = new ArrayList<String>();
        Markdown.forEachLink(Markdown.parse(Files.readString(page)), link -> targets.add(link.getDestination()));
        targets.removeIf(ELSEWHERE.asMatchPredicate());
        return targets;
    }

    private static boolean leadsSomewhere(Path page, String target) throws IOException {
        var hash = target.indexOf('#');
        var path = hash < 0 ? target : target.substring(0, hash);
        var file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        return Files.exists(file) && (hash < 0 || anchors(file).contains(target.substring(hash + 1)));
    }

    private static Set<String> anchors(Path page) throws IOException {
        var anchors = new TreeSet<String>();
        ANCHOR.matcher(Markdown.html(Markdown.parse(Files.readString(page))))
                .results()
                .forEach(match -> anchors.add(match.group(1)));
        return anchors;
    }
}
