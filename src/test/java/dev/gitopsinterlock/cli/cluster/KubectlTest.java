package dev.gitopsinterlock.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gitopsinterlock.cli.input.Unreadable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubectlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            Error from server (Forbidden): secrets is forbidden     | 403
            Error from server (NotFound): jobs "x" not found        | 404
            Error from server (Conflict): changed meanwhile         | 409
            Error from server (InternalError): failed calling       | 500
            Error from server: admission webhook denied the request | 500
            The Job "x" is invalid: spec.template: no               | 422
            """)
    void itsWordsTellTheStatus(String words, int status) throws Unreadable {
        assertThat(Kubectl.refusal(words)).isEqualTo(new ApiServer.Answer(status, words));
    }

    /** A misspelt policy, which the server tells with every answer about that Namespace, and what kubectl logs itself. */
    @ParameterizedTest
    @ValueSource(strings = {"Error from server (NotFound): no", "The Job \"x\" is invalid: no"})
    void whatComesBeforeThemIsNoneOfThem(String words) throws Unreadable {
        assertThat(Kubectl.refusal("""
                        Warning: unknown policy
                        E1128 10:34:05.123456   12345 memcache.go:265] "Unhandled Error" err="the server could not be asked"
                        Warning: another
                        """ + words)).isEqualTo(Kubectl.refusal(words));
    }

    /** A policy's words, which go on with what another answer said. */
    @Test
    void theFirstWordsCount() throws Unreadable {
        var words = "Error from server (Forbidden): no:\nThe Job \"x\" is invalid: no";

        assertThat(Kubectl.refusal(words)).isEqualTo(new ApiServer.Answer(403, words));
    }

    @Test
    void whatNoServerSaidIsTrouble() {
        assertThatThrownBy(() -> Kubectl.refusal("Unable to connect to the server: EOF"))
                .isInstanceOf(Unreadable.class);
    }
}
