package dev.gitopsinterlock.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.guidance.LintFinding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NewObjectFindingsTest {

    @ParameterizedTest
    @EnumSource
    void everyWarningIsExplained(LintFinding warning) {
        assertThat(PackagedPages.warnings().get(NewObjectFindings.code(warning)))
                .contains("`" + warning.text(PackagedPages.withoutAddress()) + "`");
    }
}
