package dev.gitopsinterlock.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.tool.Tool;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FixTest {

    static Iterable<String> codes() {
        return Arrays.stream(Tool.values())
                .flatMap(tool -> tool.delivery().fixes().keySet().stream())
                .toList();
    }

    /** The page tells people to write what the program writes. */
    @ParameterizedTest
    @MethodSource("codes")
    void itsPageSaysTheSame(String code) {
        var fix = Tool.fix(code).orElseThrow();
        var remedy = PackagedPages.withoutAddress().remedy(code);

        assertThat(remedy).contains(fix.annotation());
        fix.words().forEach(word -> assertThat(remedy).contains(word));
    }

    @Test
    void itsPageSaysTheSameOfAChart() {
        ChartFix.OF_CODES.forEach((code, fix) -> {
            var page = PackagedPages.text(code).orElseThrow();

            fix.annotations().forEach(line -> assertThat(page).contains(line.annotation() + ": " + line.value()));
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ArgoCdJobEdit                | 'Prune=false'                | 'Prune=false,Force=true'
            ArgoCdJobEdit                | 'Prune=false, Force=True'    | 'Prune=false,Force=true'
            ArgoCdJobEdit                | ''                           | 'Force=true'
            ArgoCdServerSideApplyJobEdit | 'ServerSideApply=true,Prune=false' | 'Prune=false,ServerSideApply=false,Force=true'
            ArgoCdHookJobEdit            | 'HookSucceeded'              | 'HookSucceeded,BeforeHookCreation'
            FluxKustomizationJobEdit     | 'disabled'                   | 'enabled'
            """)
    void whatIsThereStays(String code, String present, String expected) {
        assertThat(Tool.fix(code).orElseThrow().valueBeside(present)).isEqualTo(expected);
    }
}
