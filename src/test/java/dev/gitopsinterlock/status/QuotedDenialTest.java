package dev.gitopsinterlock.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.GuardedKind.Phrase;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.guidance.RefusedFields;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a tool says of our denial is read back, whatever words of the API server's are in it. */
class QuotedDenialTest {

    private static final GuidanceCode CODE =
            GuidanceCode.OF_OBJECT_EDITS.iterator().next();
    private static final GuidancePages PAGES =
            new GuidancePages(Optional.empty(), Map.of(CODE.token(), "Put it back."));
    private static final ObjectName OBJECT = new ObjectName("shop", "data");

    static Stream<String> phrases() {
        return Stream.concat(
                        Stream.of(RefusedFields.USUAL_PHRASE),
                        GuardedKinds.BESIDE_JOB.stream()
                                .map(GuardedKind::phrases)
                                .flatMap(List::stream)
                                .map(Phrase::words))
                .distinct();
    }

    @ParameterizedTest
    @MethodSource("phrases")
    void isReadBack(String phrase) {
        var fields = new RefusedFields("", "Thing", OBJECT, List.of("spec.a", "spec.b[0].c"), List.of(phrase, phrase));
        var refused = new RefusedEdit(CODE, Tool.ARGO_CD, Optional.empty(), fields, "", Optional.empty());
        var said = "admission webhook \"things.gitops-interlock.dev\" denied the request: "
                + refused.status(PAGES).message() + ". Retrying: it failed. Later";

        assertThat(QuotedDenial.in(said))
                .containsExactly(new QuotedDenial(CODE.token(), "Thing", OBJECT, List.of("spec.a", "spec.b[0].c")));
    }
}
