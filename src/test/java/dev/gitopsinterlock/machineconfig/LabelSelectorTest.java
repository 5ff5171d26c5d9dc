package dev.gitopsinterlock.machineconfig;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {

    @ParameterizedTest(name = "{0} selects {1}: {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "null                                                                   | {}                     | false",
                "{}                                                                     | {'role': 'worker'}     | false",
                "{'matchLabels': {}}                                                    | {'role': 'worker'}     | false",
                "{'matchExpressions': []}                                               | {'role': 'worker'}     | false",
                "{'matchLabels': {'role': 'worker'}}                                    | {'role': 'worker'}     | true",
                "{'matchLabels': {'role': 'worker'}}                                    | {'role': 'infra'}      | false",
                "{'matchLabels': {'role': 'worker', 'a': ''}}                           | {'role': 'worker'}     | false",
                "{'matchExpressions': [{'key': 'role', 'operator': 'In', 'values': ['worker', 'infra']}]} "
                        + "                                                             | {'role': 'infra'}      | true",
                "{'matchExpressions': [{'key': 'role', 'operator': 'NotIn', 'values': ['worker']}]} "
                        + "                                                             | {}                     | true",
                "{'matchExpressions': [{'key': 'role', 'operator': 'NotIn', 'values': ['worker']}]} "
                        + "                                                             | {'role': 'worker'}     | false",
                "{'matchExpressions': [{'key': 'role', 'operator': 'Exists'}]}          | {'role': ''}           | true",
                "{'matchExpressions': [{'key': 'role', 'operator': 'Exists'}]}          | {}                     | false",
                "{'matchExpressions': [{'key': 'role', 'operator': 'DoesNotExist'}]}    | {}                     | true",
                "{'matchExpressions': [{'key': 'role', 'operator': 'DoesNotExist'}]}    | {'role': ''}           | false",
                "{'matchExpressions': [{'key': 'role', 'operator': 'Gt', 'values': ['1']}]} | {'role': '2'}      | false"
            })
    void selects(String selector, String labels, boolean expected) {
        var actual = LabelSelector.of(Trees.json(selector)).selects(ObjectMeta.texts(Trees.json(labels)));

        assertThat(actual).isEqualTo(expected);
    }
}
