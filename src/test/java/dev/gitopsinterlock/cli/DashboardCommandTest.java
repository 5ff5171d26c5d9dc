package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.cluster.CannedCluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the page is found, with a program in the place of kubectl. */
class DashboardCommandTest {

    @TempDir
    private Path folder;

    private Path kubectl;

    @BeforeEach
    void kubectl() {
        kubectl = folder.resolve("kubectl");
    }

    @Test
    void saysWhereThePageIsUntilItIsEnded() throws IOException, InterruptedException {
        answering(installed("Everyone"));
        Files.writeString(folder.resolve("_api_v1_namespaces_interlock_pods_gate-1:9123_proxy_q_metrics"), """
                # HELP gitops_interlock_reviews_total
                gitops_interlock_reviews_total{outcome="denied"} 12.0
                gitops_interlock_reviews_total{outcome="allowed"} 3.0
                """);
        var out = new StringWriter();
        var errors = new StringWriter();
        var code = new AtomicInteger(-1);
        var running = Thread.ofPlatform()
                .start(() -> code.set(Interlock.commandLine(
                                InputStream.nullInputStream(),
                                folder,
                                Interlock.NAME,
                                new PrintWriter(out),
                                new PrintWriter(errors))
                        .execute("dashboard", "--kubectl", kubectl.toString())));

        await("its address").atMost(Patience.LIMIT).until(() -> out.toString().contains("Ctrl-C"));
        var forwarding = ProcessHandle.of(
                        Long.parseLong(Files.readString(folder.resolve("pid")).strip()))
                .orElseThrow();
        running.interrupt();
        running.join();

        assertThat(out.toString().lines())
                .containsExactly(
                        "http://127.0.0.1:45671/",
                        "Replica gate-1; --pod shows another one: gate-0",
                        "Ctrl-C ends it.");
        assertThat(errors.toString()).isEmpty();
        assertThat(code).hasValue(ExitCode.NOTHING_FOUND);
        assertThat(Files.readString(folder.resolve("arguments")))
                .isEqualTo("--namespace interlock port-forward --address 127.0.0.1 pod/gate-1 :9123\n");
        await("kubectl has ended").atMost(Patience.LIMIT).until(() -> !forwarding.isAlive());
    }

    @Test
    void takesTheReplicaAndThePortThatAreNamed() throws IOException {
        answering(installed("Everyone"));
        Files.writeString(folder.resolve("refusal"), "error: lost connection to pod\n");

        var run = run("--pod", "gate-1", "--port", "8080");

        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(run.errors()).isEqualTo("error: lost connection to pod\n");
        assertThat(Files.readString(folder.resolve("arguments"))).endsWith(" pod/gate-1 8080:9123\n");
    }

    @Test
    void saysThatThePageIsSwitchedOff() throws IOException {
        answering(installed("Disabled"));

        assertThat(run().code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(run().errors()).isEqualTo("the status page is switched off: statusPage is Disabled\n");
    }

    private Run run(String... options) {
        var all = new ArrayList<>(List.of("dashboard", "--kubectl", kubectl.toString()));
        all.addAll(List.of(options));
        return Run.in(folder, all.toArray(String[]::new));
    }

    private static JsonNode installed(String page) {
        return Trees.json("""
                {'/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations': [{'webhooks': [{
                   'name': 'node-gate.gitops-interlock.dev',
                   'clientConfig': {'service': {'namespace': 'interlock', 'name': 'gate'}}}]}],
                 '/apis/apps/v1/namespaces/interlock/deployments/gate': {
                   'metadata': {'namespace': 'interlock', 'name': 'gate'},
                   'spec': {'selector': {'matchLabels': {'app': 'gate'}}, 'template': {'spec': {'containers': [{
                     'name': 'gitops-interlock',
                     'env': [{'name': 'GITOPS_INTERLOCK_STATUS_PAGE', 'value': '%s'}],
                     'ports': [{'name': 'webhook', 'containerPort': 10250}, {'name': 'management', 'containerPort': 9123}]}]}}}},
                 '/api/v1/namespaces/interlock/pods': [
                   {'metadata': {'name': 'gate-0'}, 'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}},
                   {'metadata': {'name': 'gate-1'}, 'status': {'conditions': [{'type': 'Ready', 'status': 'True'}]}},
                   {'metadata': {'name': 'gate-2'}, 'status': {'conditions': [{'type': 'Ready', 'status': 'False'}]}}]}
                """.formatted(page));
    }

    /** Lists from files; a forwarded port leads nowhere, and lasts. */
    private void answering(JsonNode answers) throws IOException {
        CannedCluster.in(folder, answers);
        var reading = Files.readString(kubectl);
        Files.writeString(kubectl, """
                #!/bin/sh
                case "$*" in *port-forward*)
                  cd "%s"
                  echo "$*" > arguments
                  if [ -f refusal ]; then cat refusal >&2; exit 1; fi
                  echo $$ > pid
                  echo "Forwarding from 127.0.0.1:45671 -> 9123"
                  exec sleep 600
                esac
                """.formatted(folder) + reading.substring(reading.indexOf('\n') + 1));
    }
}
