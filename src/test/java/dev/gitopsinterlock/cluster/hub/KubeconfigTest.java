package dev.gitopsinterlock.cluster.hub;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read of a kubeconfig, and which are not used. */
class KubeconfigTest {

    private static final String GOOD = """
            apiVersion: v1
            kind: Config
            current-context: hub
            clusters:
              - {name: shop.example, cluster: {server: "https://shop.example:6443/"}}
              - {name: "arn:shop", cluster: {server: "https://proxy.example/shop"}}
            users: [{name: hub, user: {token: t0k3n}}]
            contexts: [{name: hub, context: {cluster: shop.example, user: hub, namespace: interlock}}]
            """;

    private static Optional<Kubeconfig> read(String text) {
        return Kubeconfig.of("shop", text, new KubernetesSerialization());
    }

    @Test
    void allItsClustersAreNamesOfOne() {
        var read = read(GOOD).orElseThrow();

        assertThat(read.names()).containsExactlyInAnyOrder("shop", "shop.example", "arn:shop");
        assertThat(read.servers())
                .containsExactlyInAnyOrder("https://shop.example:6443/", "https://proxy.example/shop");
        assertThat(read.config().getMasterUrl()).isEqualTo("https://shop.example:6443/");
        assertThat(read.config().getNamespace()).isEqualTo("interlock");
        assertThat(read.config().getAutoOAuthToken()).isEqualTo("t0k3n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a command runs              | user: {token: t0k3n}       | user: {exec: {command: date}}",
                "the same, of an older form  | user: {token: t0k3n}       | user: {auth-provider: {name: gcp}}",
                "a token with an end of line | user: {token: t0k3n}       | user: {token: \"t0k3n\\n\"}",
                "without a current context   | current-context: hub       | current-context: ''",
                "of another context          | current-context: hub       | current-context: other",
                "no YAML                     | apiVersion: v1             | {"
            })
    void othersAreNotUsed(String what, String before, String after) {
        assertThat(GOOD).contains(before);
        assertThat(read(GOOD.replace(before, after))).as(what).isEmpty();
    }

    @Test
    void whatIsNoKubeconfigAtAllIsNotUsed() {
        assertThat(read("")).isEmpty();
        assertThat(read("words")).isEmpty();
    }
}
