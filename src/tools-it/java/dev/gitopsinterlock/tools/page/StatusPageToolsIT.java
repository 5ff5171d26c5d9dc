package dev.gitopsinterlock.tools.page;

import static dev.gitopsinterlock.testing.text.Manifests.JOB;
import static dev.gitopsinterlock.testing.text.Manifests.edited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.client.Browser;
import dev.gitopsinterlock.testing.client.Browser.Spoken;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees, hears and can press on the status page, of the real service, on the real API server. */
@RequiresTools("chromium")
class StatusPageToolsIT {

    private static final String OLD = "rendered-worker-00000000000000000000000000000001";
    private static final String NEW = "rendered-worker-00000000000000000000000000000002";

    /** Namespaces with the policy of each. */
    private static final Map<String, String> POLICIES =
            Map.of("shop", "Replace", "billing", "Preview", "search", "Reject", "labs", "Rejcet");

    /** Moments and durations, which every run has others of; the docs' pictures have these. */
    private static final String AT_ANOTHER_TIME = """
            (() => {
              const say = (where, words) => document.querySelectorAll(where).forEach(each => { each.textContent = words; });
              const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              for (let text; (text = texts.nextNode());) {
                text.data = text.data
                  .replace(/\\d\\d:\\d\\d:\\d\\d/g, '14:03:07')
                  .replace(/\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d \\([^)]+\\)/g, '2027-01-20 14:03 (in 58 d)')
                  .replace(/serial [0-9a-f]+/g, 'serial 2a')
                  .replace(/files in \\S+/g, 'files in /etc/gitops-interlock/tls')
                  .replace(/up [0-9][^,]*$/g, 'up 3 d 2 h')
                  .replace(/[0-9][^,]* ago/g, '2 min ago');
              }
              say('td time', '14:01:02');
              say('.timeline p', 'Held since 13:56:40 (6 min 27 s); goes on at 14:16:40 at the latest (in 13 min).');
              ['13:56:40', '14:01:40', '14:06:40', '14:11:40', '14:16:40'].forEach((time, place) => {
                document.querySelectorAll('.scale text')[place].textContent = time;
              });
              const place = (part, name, value) =>
                document.querySelectorAll('.timeline ' + part).forEach(each => { each.setAttribute(name, value); });
              place('.elapsed', 'width', '32.25%');
              place('.ahead', 'x', '32.25%');
              place('.ahead', 'width', '67.75%');
              place('.now', 'x1', '32.25%');
              place('.now', 'x2', '32.25%');
            })()
            """;

    private static OpenShiftCluster cluster;
    private static Browser browser;

    @BeforeAll
    static void thingsHappen() {
        cluster = OpenShiftCluster.with(service -> service.with("hostname", "gitops-interlock-6d9f7c4b8-x2x4k"));
        editsOfJobs();
        aRolloutThatWaits();
        browser = Browser.start();
    }

    @AfterAll
    static void end() {
        browser.close();
        cluster.close();
    }

    private static void editsOfJobs() {
        var kubernetes = cluster.controlPlane();
        POLICIES.forEach((namespace, policy) -> {
            kubernetes.createNamespace(namespace);
            kubernetes
                    .kubectl("annotate", "namespace", namespace, "gitops-interlock.dev/on-immutable-change=" + policy)
                    .orFail();
        });
        for (var namespace : List.of("search", "billing", "shop")) {
            kubernetes
                    .kubectl("-n", namespace, "apply", "-f", kubernetes.file(JOB))
                    .orFail();
            kubernetes
                    .kubectl("-n", namespace, "wait", "--for=condition=Complete", "job/db-migrate", "--timeout=300s")
                    .orFail();
            var edit = kubernetes.file(edited(JOB));
            var answer = kubernetes.kubectl("-n", namespace, "apply", "-f", edit);
            assertThat(answer.exitCode() == 0).as(answer.toString()).isEqualTo(namespace.equals("shop"));
        }
    }

    private static void aRolloutThatWaits() {
        cluster.rendered(OLD);
        cluster.rendered(NEW);
        cluster.pool("worker", NEW, "{}");
        cluster.node("worker-1", OLD, "worker");
        cluster.node("worker-2", OLD, "worker");
        cluster.applications().create("payments");
        cluster.applications().startSync("payments");
        cluster.awaitHeld("worker-1", NEW);
        cluster.awaitHeld("worker-2", NEW);
        // till the API server has stored it: the pool's own word for it, by which it goes on being held
        await("rollout on the page").atMost(Patience.LIMIT).until(() -> page().contains("worker-2"));
    }

    private static String page() {
        return cluster.interlock().get("/").body();
    }

    private static String address() {
        return "http://" + cluster.interlock().management() + "/";
    }

    @BeforeEach
    void open() {
        browser.size(1_200, 900);
        browser.complaints();
        browser.requests();
        browser.open(address());
    }

    @Test
    void showsWhatHappened() {
        assertThat(browser.value("document.querySelector('#edits').closest('section').innerText")
                        .asText())
                .contains(
                        "Job shop/db-migrate",
                        "Replaced",
                        "Refused",
                        "Previewed",
                        "would have been replaced",
                        "kubectl")
                .contains("spec.template.spec.containers[0].image")
                .doesNotContain("registry.example");
        assertThat(browser.value("document.querySelector('#rollouts').closest('section').innerText")
                        .asText())
                .contains("pool worker", "held", "payments", "worker-1, worker-2", NEW);
        assertThat(browser.value("document.querySelector('#policies').closest('section').innerText")
                        .asText())
                .contains("shop", "Replace", "Rejcet is unknown");
    }

    @Test
    void asksForNothingButItsOwnFilesAndComplainsOfNothing() {
        assertThat(browser.requests())
                .contains(address(), address() + "status/style.css")
                .allMatch(url -> url.startsWith(address()));
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.value("document.scripts.length").asInt()).isZero();
    }

    /** Else the test before would not notice. */
    @Test
    void aScriptWouldBeForbidden() {
        browser.value("""
                (() => { const script = document.createElement('script'); script.textContent = 'document.title = "ran"';
                  document.body.append(script); })()
                """);

        assertThat(browser.complaints()).anyMatch(complaint -> complaint.contains("Content Security Policy"));
        assertThat(browser.value("document.title").asText()).isNotEqualTo("ran");
    }

    @Test
    void aScreenReaderIsToldWhatIsWhat() {
        var spoken = browser.spoken();

        assertThat(spoken)
                .contains(
                        new Spoken("banner", ""),
                        new Spoken("navigation", "On this page"),
                        new Spoken("main", ""),
                        new Spoken("contentinfo", ""),
                        new Spoken("heading", "gitops-interlock"),
                        new Spoken("heading", "pool worker held"),
                        new Spoken("columnheader", "Result"),
                        new Spoken("rowheader", "Job shop/db-migrate"),
                        new Spoken("link", "Skip to the content"));
        assertThat(spoken.stream().filter(each -> each.role().equals("table")).map(Spoken::name))
                .hasSize(4)
                .allSatisfy(name -> assertThat(name).isNotEmpty());
        assertThat(spoken.stream().filter(each -> each.role().equals("heading")).map(Spoken::name))
                .containsSubsequence(
                        "gitops-interlock",
                        "One thing needs a look",
                        "What is guarded",
                        "Rollouts",
                        "Last edits",
                        "This replica",
                        "Policies",
                        "More");
        assertThat(spoken)
                .noneMatch(each -> each.role().equals("link") && each.name().isEmpty());
    }

    @Test
    void theKeyboardComesToTheContentAtOnceAndToEveryLink() {
        browser.pressTab();
        assertThat(focused()).isEqualTo("Skip to the content");
        assertThat(browser.value("document.activeElement.getBoundingClientRect().top")
                        .asDouble())
                .isNotNegative();
        browser.pressEnter();
        assertThat(browser.value("document.activeElement.id").asText()).isEqualTo("content");
        browser.pressTab();
        assertThat(browser.value("document.querySelector('main').contains(document.activeElement)")
                        .asBoolean())
                .isTrue();

        browser.open(address());
        var stops = IntStream.range(0, 60)
                .mapToObj(i -> {
                    browser.pressTab();
                    return focused();
                })
                .toList();
        assertThat(stops).containsSubsequence("Skip to the content", "Reload", "What is guarded", "More", "Settings");
    }

    private static String focused() {
        return browser.value("document.activeElement.innerText").asText();
    }

    /** Contrast as WCAG 2.2 counts it: 4.5 for text. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void everyTextCanBeRead(String scheme) {
        browser.prefer(scheme);

        assertThat(browser.value(Contrast.LOWEST).asText()).isEqualTo("");
    }

    /** Else the test before would not notice. */
    @Test
    void aTextThatCannotBeReadIsFound() {
        browser.prefer("light");
        browser.value("document.querySelector('footer').style.color = '#999'");

        assertThat(browser.value(Contrast.LOWEST).asText()).startsWith("What this replica remembers");
    }

    @ParameterizedTest
    @CsvSource({"light, 246", "dark, 21"})
    void looksAsTheDocsShow(String scheme, int ground) throws IOException {
        browser.prefer(scheme);
        browser.value(AT_ANOTHER_TIME);

        var picture = browser.picture();

        assertThat(browser.value("getComputedStyle(document.body).backgroundColor")
                        .asText())
                .contains(Integer.toString(ground));
        Pictures.compare(Project.directory().resolve("docs/images/status-page-%s.png".formatted(scheme)), picture);
    }

    /** Else a comparison would say nothing. */
    @Test
    void lightAndDarkAreFarFromEachOther() throws IOException {
        browser.prefer("light");
        var light = browser.picture();
        browser.prefer("dark");

        assertThat(Pictures.difference(light, browser.picture())).isGreaterThan(100);
    }

    /** With the longest texts that a row can have. */
    @ParameterizedTest
    @ValueSource(ints = {390, 1_000, 1_280})
    void noColumnIsCut(int width) {
        browser.size(width, 900);
        browser.value("""
                document.querySelectorAll('[data-column="Sent by"]').forEach(by => { by.textContent = "Argo CD's user interface or API"; });
                document.querySelectorAll('[data-column="Advice"] a').forEach(code => { code.textContent = 'ArgoCdServerSideApplyJobEdit'; });
                """);

        assertThat(browser.value("""
                        [document.documentElement, ...document.querySelectorAll('.wide')]
                            .map(box => box.scrollWidth - box.clientWidth).join(' ')
                        """).asText()).isEqualTo("0 0 0 0 0");
    }

    @Test
    void itsLinksLeadSomewhere() {
        var links = browser.value("[...document.links].map(link => link.getAttribute('href')).join(' ')")
                .asText()
                .split(" ", -1);

        assertThat(links).contains("guidance/KubectlApplyJobEdit");
        assertThat(links).allSatisfy(link -> {
            if (!link.startsWith("#")) {
                assertThat(cluster.interlock().get("/" + link).statusCode())
                        .as(link)
                        .isEqualTo(200);
            }
        });
    }
}
