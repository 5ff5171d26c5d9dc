package dev.gitopsinterlock.guidance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.tool.Tool;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The words about other kinds, at their longest: as long a name as they repeat, sent by one tool and owned by another. */
class ObjectEditWordsTest {

    private static final ObjectName OBJECT = new ObjectName("n".repeat(63), "o".repeat(63));
    private static final String FIELD = "spec.volumeClaimTemplates[0].spec.resources.requests[storage]";

    /** The longest of a kind. */
    private static String phrase(GuidanceCode code) {
        return code.token().equals("PersistentVolumeEdit")
                ? "Forbidden: spec.persistentvolumesource is immutable after creation"
                : RefusedFields.USUAL_PHRASE;
    }

    static Stream<RefusedEdit> longest() {
        return GuidanceCode.OF_OBJECT_EDITS.stream()
                .flatMap(code -> Arrays.stream(Tool.values())
                        .flatMap(owner -> Stream.of(Tool.KUBECTL, Tool.OC)
                                .map(requester -> new RefusedEdit(
                                        code,
                                        requester,
                                        Optional.of(owner),
                                        new RefusedFields(
                                                "",
                                                "PersistentVolumeClaim",
                                                OBJECT,
                                                List.of(FIELD),
                                                List.of(phrase(code))),
                                        "the API server answered with HTTP status 500",
                                        Optional.empty()))));
    }

    @ParameterizedTest
    @MethodSource("longest")
    void areOneLineWithTheFieldAndTheLink(RefusedEdit refused) {
        var status = refused.status(Samples.LINKED);

        assertThat(status.message())
                .hasSizeLessThan(Denial.MAX_LENGTH)
                .matches("[ -~]+")
                .doesNotContain("map[", "{", "}", "  ")
                .contains("PersistentVolumeClaim " + OBJECT, phrase(refused.code()), FIELD)
                .endsWith(". " + Samples.LINKED.link(refused.code().token()));
    }

    /** Where there is a Namespace, it goes before these two, and no other. */
    @Test
    void commandsAreThoseThatTakeANamespace() {
        assertThat(GuidanceCode.OF_OBJECT_EDITS)
                .allSatisfy(code -> assertThat(Samples.PAGES.remedy(code.token()))
                        .doesNotContainPattern("\\{kubectl} (?!delete |get )"));
    }
}
