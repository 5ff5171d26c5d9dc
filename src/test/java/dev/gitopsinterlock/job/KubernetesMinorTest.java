package dev.gitopsinterlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesMinorTest {

    @ParameterizedTest
    @CsvSource({"37, 37", "34+, 34", "'', 0", "x, 0"})
    void itsMinorIsANumber(String written, int minor) {
        var version = JsonNodeFactory.instance.objectNode().put("major", "1").put("minor", written);

        assertThat(KubernetesVersion.minor(version).orElse(0)).isEqualTo(minor);
    }
}
