package dev.gitopsinterlock.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiAnswerTest {

    @ParameterizedTest
    @CsvSource({
        "200, '', false", "403, Forbidden, false", "409, AlreadyExists, false", "409, Conflict, true",
        "422, Invalid, false", "429, TooManyRequests, true", "500, InternalError, true", "504, Timeout, true"
    })
    void whatMayPassIsTransient(int status, String reason, boolean isTransient) {
        assertThat(new ApiAnswer(status, Trees.json("{'reason': '%s'}".formatted(reason))).isTransient())
                .isEqualTo(isTransient);
    }

    @Test
    void validationTellsFieldsAndNoValues() {
        var answer = new ApiAnswer(422, Trees.json("""
                {'message': 'spec.a: Invalid value: s3cr3t', 'details': {'causes': [
                  {'reason': 'FieldValueInvalid', 'field': 'spec.a', 'message': 'Invalid value: s3cr3t'},
                  {'reason': 'FieldValueRequired', 'field': 'spec.b', 'message': 'Required value'}]}}"""));

        assertThat(answer.words()).isEqualTo("spec.a (FieldValueInvalid), spec.b (FieldValueRequired) is not valid");
    }

    @Test
    void aPolicysWordsAreItsOwn() {
        var answer = new ApiAnswer(422, Trees.json("""
                {'message': 'version 1.1 is withdrawn', 'details': {'causes': [{'message': 'version 1.1 is withdrawn'}]}}"""));

        assertThat(answer.words()).isEqualTo("version 1.1 is withdrawn");
    }

    @Test
    void whoSaysNothingHasAStatus() {
        assertThat(new ApiAnswer(403, Trees.json("{}")).words()).isEqualTo("HTTP status 403");
    }
}
