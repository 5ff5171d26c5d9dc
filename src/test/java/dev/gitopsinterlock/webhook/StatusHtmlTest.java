package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.edit.EditReason;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Preview;
import dev.gitopsinterlock.page.SampleFacts;
import dev.gitopsinterlock.status.Facts.ReplacementState;
import dev.gitopsinterlock.status.Facts.Watch;
import dev.gitopsinterlock.testing.review.Refusals;
import dev.gitopsinterlock.tool.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page as HTML. A word in the template that the page does not have would be an exception. */
class StatusHtmlTest {

    private static final String HOSTILE = "\"><script>alert('1')</script><img src=x onerror=alert(1)>&amp;{page}";

    private final SampleFacts given = new SampleFacts();

    @Test
    void aPageWithNothingOnItSaysSo() {
        assertThat(html(given.off()))
                .contains("Nothing needs a look", "No rollout waits", "No edit that cannot be made")
                .doesNotContain("<svg", "NOT_FOUND");
    }

    @Test
    void everythingHasItsPlace() {
        fill("migrate", "worker", "spec.template");

        assertThat(html(given))
                .contains(
                        "shop/migrate",
                        "href=\"guidance/KubectlJobEdit\"",
                        "would have been replaced",
                        "dry run",
                        "2 times",
                        "pool worker",
                        "worker-1",
                        "payments",
                        "One thing needs a look",
                        "and 1 more",
                        "<title>Look: gitops-interlock status</title>")
                .doesNotContain("Optional[", "NOT_FOUND");
    }

    @Test
    void namesAreNoMarkup() {
        fill(HOSTILE, HOSTILE, HOSTILE);
        given.namespaces = Map.of(HOSTILE, Map.of("gitops-interlock.dev/on-immutable-change", HOSTILE));
        given.replacement = new ReplacementState(true, false, HOSTILE, true);

        assertThat(html(given))
                .contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;")
                .doesNotContain("<script", "<img src=x");
    }

    /** What its headers forbid. */
    @Test
    void thereIsNoScriptAndNoStyleInThePage() {
        fill("migrate", "worker", "spec.template");

        assertThat(html(given))
                .doesNotContainPattern(Pattern.compile("<script|<style|\\sstyle=|\\son[a-z]+=|javascript:|https?://"));
    }

    private void fill(String job, String pool, String field) {
        given.decided(SampleFacts.NOW, job, false, SampleFacts.refused(job, field, "b", "c", "d"));
        given.decided(SampleFacts.NOW, job, false, SampleFacts.refused(job, field, "b", "c", "d"));
        given.decided(SampleFacts.NOW, job, true, Decision.allow(EditReason.REPLACED));
        given.decided(
                SampleFacts.NOW,
                job,
                false,
                Decision.deny(Refusals.of(
                                new GuidanceCode("KubectlJobEdit"),
                                Tool.KUBECTL,
                                new ObjectName("shop", job),
                                List.of(field))
                        .with(Preview.REPLACED)));
        given.held(SampleFacts.NOW.minus(Duration.ofMinutes(5)), pool, "worker-1");
        given.caches.add(new Watch("applications", Watch.State.LOST, 2));
    }

    private static String html(SampleFacts facts) {
        return StatusHtml.of(facts.page());
    }
}
