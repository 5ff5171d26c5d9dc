package dev.gitopsinterlock.tools.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.GoldenFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of scenarios is what the tests of the tools saw. */
class ScenariosGoldenTest {

    private static final Path PAGE = Path.of("docs/scenarios.md");

    @Test
    void thePageHasEveryScenario() {
        GoldenFiles.compare(PAGE, ScenariosPage.of(Goldens.all()));
    }

    @Test
    void everyScenarioHasItsTest() {
        assertThat(Goldens.all()).allSatisfy(scenario -> {
            var parts = scenario.test().split("\\.", -1);
            assertThat(story(parts[0]).getDeclaredMethods())
                    .extracting(method -> method.getName())
                    .contains(parts[1]);
        });
    }

    private static Class<?> story(String name) {
        var room = name.startsWith("ArgoCd") ? "argocd" : "clients";
        try {
            return Class.forName("dev.gitopsinterlock.tools." + room + "." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError("the test of a scenario is gone", e);
        }
    }

    @Test
    void everyScenarioIsInTheFileOfItsName() {
        assertThat(Goldens.all())
                .isNotEmpty()
                .allSatisfy(
                        scenario -> assertThat(Goldens.file(scenario)).content().isEqualTo(Goldens.text(scenario)));
    }
}
