package dev.gitopsinterlock.immutability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubernetesVersionTest {

    @ParameterizedTest
    @CsvSource({"1.34", "1.34.4", "v1.34.4", "v1.34.4-eks-1a2b", "v1.34.4+k3s1", "1.34+"})
    void isReadAsAServerWritesIt(String text) {
        assertThat(KubernetesVersion.of(text)).contains(KubernetesVersion.V1_34);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1.3", "1.340", "1", "34", "1.33.9", "2.34", "newest"})
    void isNotGuessed(String text) {
        assertThat(KubernetesVersion.of(text)).isEmpty();
    }
}
