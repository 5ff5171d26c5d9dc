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
        var rendered = Rendering.whole(Helm.HELM_4, choice.values());
        PRODUCTS.forEach((group, product) -> {
            if (rendered.yaml().contains("\napiVersion: " + group + "/")) {
                Tool.refusalOfDefinitions(product).ifPresent(Assumptions::abort);
            }
        });
        // a Pod of its own is taken only where its ServiceAccount is; the Job that may be there has the same
        var objects = rendered.documents().stream()
                .filter(document -> !document.contains("\nkind: Pod\n"))
                .toList();
        var answer = kubernetes
                .kubectl(
                        "apply",
                        "--server-side",
                        "--dry-run=server",
                        "-f",
                        kubernetes.file(String.join("\n---\n", objects)))
                .orFail();

        assertThat(answer.out().lines())
                .hasSameSizeAs(objects)
                .allMatch(line -> line.endsWith(" serverside-applied (server dry run)"));
        if (choice.values().contains("hostNetwork=true")) {
            assertThat(answer.err()).contains("violate PodSecurity", "hostNetwork=true");
        } else {
            assertThat(answer.err()).isEmpty();
        }
    }

    @Test
    void aServiceHasAddressesOfBothFamiliesWhereTheClusterHas() {
        var service = Rendering.of("service.ipFamilyPolicy=RequireDualStack", "service.ipFamilies={IPv6,IPv4}")
                .object("Service")
                .toString();
        assertThat(kubernetes.kubectl("create", "-f", kubernetes.file(service)).err())
                .contains("not configured");

        try (var dualStack = ControlPlane.start("--service-cluster-ip-range=10.96.0.0/16,fd00:10:96::/112")) {
            dualStack.createNamespace(Rendering.NAME);
            dualStack.kubectl("create", "-f", dualStack.file(service)).orFail();

            assertThat(dualStack
                            .kubectl(
                                    "-n",
                                    Rendering.NAME,
                                    "get",
                                    "service",
                                    "-o=jsonpath={.items[*].spec.clusterIPs[*]}")
                            .out())
                    .matches("fd00:10:96::[0-9a-f:]+ 10\\.96\\.[0-9.]+");
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
                .hasSize(5)
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
