package dev.gitopsinterlock.tools.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real API server takes what the chart renders, and the service is what the chart says of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChartOnApiServerToolsIT {

    /** Whose API groups the chart's objects are of, beside Kubernetes' own. */
    private static final Map<String, String> PRODUCTS =
            Map.of("cert-manager.io", "certmanager", "monitoring.coreos.com", "monitoring");

    private final ControlPlane kubernetes = ControlPlane.start();

    ChartOnApiServerToolsIT() {
        PRODUCTS.values().stream()
                .filter(product -> Tool.refusalOfDefinitions(product).isEmpty())
                .forEach(kubernetes::addDefinitionsOf);
        // where edits are carried out
        kubernetes.createNamespace("shop");
        kubernetes.createNamespace("blog");
        kubernetes.createNamespace(Rendering.NAME);
        kubernetes
                .kubectl("label", "namespace", Rendering.NAME, "pod-security.kubernetes.io/warn=restricted")
                .orFail();
    }

    @AfterAll
    void end() {
        kubernetes.close();
    }

    static Stream<Choice> choices() {
        return Choice.all();
    }

    /** Warnings are about Pods that are not as restricted as they could be. */
    @ParameterizedTest
    @MethodSource("choices")
    void everyObjectIsTaken(Choice choice) {
        var rendered = Rendering.by(Helm.HELM_4, choice.values());
        PRODUCTS.forEach((group, product) -> {
            if (rendered.yaml().contains("\napiVersion: " + group + "/")) {
                Tool.refusalOfDefinitions(product).ifPresent(Assumptions::abort);
            }
        });
        var answer = kubernetes
                .kubectl("apply", "--server-side", "--dry-run=server", "-f", kubernetes.file(rendered.yaml()))
                .orFail();

        assertThat(answer.out().lines())
                .hasSameSizeAs(rendered.documents())
                .allMatch(line -> line.endsWith(" serverside-applied (server dry run)"));
        if (choice.values().contains("hostNetwork=true")) {
            assertThat(answer.err()).contains("violate PodSecurity", "hostNetwork=true");
        } else {
            assertThat(answer.err()).isEmpty();
        }
    }

    @Test
    void aCaOfOnesOwnIsTaken() {
        var ca = kubernetes.webhookCertificates().resolve("ca.crt");
        var rendered = Rendering.of(
                "certificates.mode=existingSecret",
                "certificates.existingSecret.name=my-tls",
                "--set-file=certificates.existingSecret.caBundle=" + ca);

        kubernetes
                .kubectl("apply", "--dry-run=server", "-f", kubernetes.file(rendered.yaml()))
                .orFail();
        assertThat(rendered.webhooks())
                .hasSize(4)
                .allSatisfy(webhook -> assertThat(
                                webhook.at("/clientConfig/caBundle").asText())
                        .isNotEmpty());
    }

    /** With no more rights than the chart gives. */
    @Test
    void theServiceAnswersWhereTheChartAsks() {
        var rendered = Rendering.of("serviceMonitor.enabled=true");
        for (var right : rendered.rights()) {
            kubernetes
                    .kubectl("apply", "--server-side", "-f", kubernetes.file(Trees.yaml(right)))
                    .orFail();
        }
        var paths = Stream.concat(
                        Stream.of("startupProbe", "readinessProbe", "livenessProbe")
                                .map(probe -> rendered.container().path(probe).at("/httpGet/path")),
                        Stream.of(rendered.object("ServiceMonitor").at("/spec/endpoints/0/path")))
                .map(JsonNode::asText)
                .toList();

        try (var interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .start()) {
            assertThat(paths)
                    .doesNotHaveDuplicates()
                    .hasSize(4)
                    .allSatisfy(path -> assertThat(interlock.get(path).statusCode())
                            .as(path)
                            .isEqualTo(200));
        }
    }
}
