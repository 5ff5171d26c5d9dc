package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cli.cluster.CannedCluster;
import dev.gitopsinterlock.cli.cluster.InstallationLookup;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.Known;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.None;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.Unknown;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which installation is meant, and what each command says where that cannot be told. */
class InstallationLookupTest {

    private static final String CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/%s/deployments";
    private static final List<String> COMMANDS = List.of("status", "dashboard", "doctor");

    static Stream<Case> cases() {
        return Trees.resource("installations/cases.yaml")
                .path("cases")
                .valueStream()
                .map(Case::new);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void findsTheOneThatTheApiServerAsks(Case each, @TempDir Path folder) throws IOException {
        var cluster = CannedCluster.in(folder, each.answers());

        assertThat(words(new InstallationLookup(cluster, each.namespace())))
                .isEqualTo(each.tree.path("found").asText());
    }

    static Stream<Case> unclear() {
        return cases().filter(each -> each.tree.has("says"));
    }

    @ParameterizedTest
    @MethodSource("unclear")
    void eachCommandSaysWhatIsUnclear(Case each, @TempDir Path folder) throws IOException {
        CannedCluster.in(folder, each.answers());

        for (var i = 0; i < COMMANDS.size(); i++) {
            var arguments = new ArrayList<>(List.of(
                    COMMANDS.get(i), "--kubectl", folder.resolve("kubectl").toString()));
            each.namespace().ifPresent(named -> arguments.addAll(List.of("--namespace", named)));
            var run = Run.in(folder, arguments.toArray(String[]::new));

            assertThat(run.out() + run.errors())
                    .as(COMMANDS.get(i))
                    .contains(each.tree.path("says").asText());
            assertThat(run.code())
                    .as(COMMANDS.get(i))
                    .isEqualTo(each.tree.path("codes").path(i).asInt());
        }
    }

    private static String words(InstallationLookup lookup) {
        try {
            return switch (lookup.find()) {
                case Known(var namespace, var service, var deployment)
                when deployment.isAbsent() -> "Service %s/%s".formatted(namespace, service);
                case Known(var namespace, var _, var deployment) ->
                    "Deployment %s/%s"
                            .formatted(
                                    namespace,
                                    deployment.tree().at("/metadata/name").asText());
                case None _ -> "none";
                case Unknown(var why, var isRefused) ->
                    "unknown%s: %s".formatted(isRefused ? ", a right is missing" : "", why);
            };
        } catch (Unreadable e) {
            return (e.isWrongUse() ? "wrong use: " : "trouble: ") + e.getMessage();
        }
    }

    record Case(JsonNode tree) {

        Optional<String> namespace() {
            return Optional.of(tree.path("namespace").asText()).filter(named -> !named.isEmpty());
        }

        /** By their paths. */
        JsonNode answers() {
            var answers = Trees.JSON.createObjectNode();
            answers.putObject("/version").put("minor", "37");
            var configurations = answers.putArray(CONFIGURATIONS);
            configurations.addObject().putArray("webhooks").addObject().put("name", "later.example.com");
            for (var asked : tree.path("asked")) {
                client(
                        asked.asText(),
                        configurations
                                .addObject()
                                .putArray("webhooks")
                                .addObject()
                                .put("name", "jobs.gitops-interlock.dev")
                                .putObject("clientConfig"));
            }
            answers.putObject("/api/v1/namespaces/platform/services/interlock")
                    .putObject("spec")
                    .set("selector", tree.path("service"));
            tree.path("deployments").properties().forEach(each -> deployment(each.getKey(), each.getValue(), answers));
            for (var refused : tree.path("refused")) {
                answers.put(
                        refused.asText().equals("deployments") ? DEPLOYMENTS.formatted("platform") : CONFIGURATIONS,
                        "Error from server (Forbidden): User \"dev\" cannot list resource \"%s\" in API group \"example\""
                                .formatted(refused.asText()));
            }
            return answers;
        }

        private static void client(String asked, ObjectNode configuration) {
            if (asked.startsWith("https:")) {
                configuration.put("url", asked);
            } else {
                configuration.set("service", name(asked));
            }
        }

        private static void deployment(String name, JsonNode labels, ObjectNode answers) {
            var deployment = Trees.JSON.createObjectNode();
            deployment.set("metadata", name(name));
            deployment.withObject("/spec/template/metadata").set("labels", labels);
            var all = DEPLOYMENTS.formatted(deployment.at("/metadata/namespace").asText());
            for (var list : List.of(all, "/apis/apps/v1/deployments")) {
                answers.withArray("/" + list.replace("/", "~1")).add(deployment);
            }
            answers.set(all + "/" + deployment.at("/metadata/name").asText(), deployment);
        }

        private static ObjectNode name(String name) {
            var parts = name.split("/", -1);
            return Trees.JSON.createObjectNode().put("namespace", parts[0]).put("name", parts[1]);
        }

        @Override
        public String toString() {
            return tree.path("name").asText();
        }
    }
}
