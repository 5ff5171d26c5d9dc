package dev.gitopsinterlock.it.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said beside a change of a MachineConfig, and that it is never refused. */
@ExtendWith(OpenShiftCluster.Extension.class)
class MachineConfigAdviceIT {

    private static final String WARNING = "Warning: [a-z, ]+: rollout waits for Argo CD sync payments, until"
            + " [0-9]{2}:[0-9]{2} UTC at the latest";

    private final OpenShiftCluster cluster;

    MachineConfigAdviceIT(OpenShiftCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void aSyncRuns() {
        cluster.pool("worker", "rendered-worker-1", "{pools: workers}");
        cluster.pool("infra", "rendered-infra-1", "{pools: infra}");
        cluster.applications().create("payments");
        cluster.applications().startSync("payments");
        cluster.awaitCounted(1);
        // the pools are known when the last of them is
        await("pools known")
                .atMost(Patience.LIMIT)
                .until(() -> apply("50-probe", "infra", "a" + System.nanoTime())
                        .err()
                        .contains("infra"));
    }

    @AfterEach
    void nothingIsLeft() {
        cluster.applications().clear();
        for (var kind : new String[] {
            "machineconfigs",
            "kubeletconfigs",
            "containerruntimeconfigs",
            "machineosconfigs",
            "imagedigestmirrorsets",
            "imagetagmirrorsets",
            "images.config.openshift.io",
            "machineconfigpools"
        }) {
            cluster.controlPlane().kubectl("delete", kind, "--all").orFail();
        }
        cluster.awaitCounted(0);
    }

    @Test
    void changeIsAdmittedWithPoolsSyncsAndTime() {
        var created = apply("60-motd", "worker", "first");
        assertThat(created.out()).contains("machineconfig.machineconfiguration.openshift.io/60-motd created");
        assertThat(created.err()).containsPattern(WARNING).contains("infra, worker: ");

        assertThat(apply("60-motd", "worker", "second").err()).containsPattern(WARNING);
        assertThat(apply("60-motd", "infra", "second").err())
                .containsPattern(WARNING)
                .contains("infra, worker: ");
        assertThat(kubectl("delete", "machineconfig", "60-motd").err())
                .containsPattern(WARNING)
                .contains("Warning: infra: ");
    }

    @Test
    void kubeletAndRuntimeConfigsToo() {
        for (var kind : List.of("KubeletConfig", "ContainerRuntimeConfig")) {
            var result = kubectl("apply", "-f", cluster.controlPlane().file("""
                            apiVersion: machineconfiguration.openshift.io/v1
                            kind: %s
                            metadata: {name: pids}
                            spec: {machineConfigPoolSelector: {matchLabels: {pools: infra}}, %s: {}}
                            """.formatted(
                            kind, kind.startsWith("K") ? "kubeletConfig" : "containerRuntimeConfig")));

            assertThat(result.err()).containsPattern(WARNING).contains("Warning: infra: ");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "config | ImageDigestMirrorSet | {imageDigestMirrors: [{source: a.example/a, mirrors: [b.example/a]}]} | infra, worker: ",
                "config | ImageTagMirrorSet | {imageTagMirrors: [{source: a.example/a, mirrors: [b.example/a]}]} | infra, worker: ",
                "config | Image | {registrySources: {blockedRegistries: [a.example]}} | infra, worker: ",
                "machineconfiguration | MachineOSConfig | {machineConfigPool: {name: infra}, imageBuilder: {imageBuilderType: Job},"
                        + " renderedImagePushSecret: {name: push}, renderedImagePushSpec: 'a.example/a/os:latest'} | infra: "
            })
    void whatIsRenderedIndirectlyToo(String group, String kind, String spec, String pools) {
        var applied = kubectl("apply", "-f", cluster.controlPlane().file("""
                        apiVersion: %s.openshift.io/v1
                        kind: %s
                        metadata: {name: %s}
                        spec: %s
                        """.formatted(
                        group, kind, kind.equals("Image") ? "cluster" : "infra", spec)));

        assertThat(applied.err()).containsPattern(WARNING).contains("Warning: " + pools);
    }

    @Test
    void whatRollsNothingOutIsSilent() {
        apply("60-motd", "worker", "first").orFail();
        var before = cluster.reviews("validate-machineconfigs", "");

        assertThat(kubectl("annotate", "machineconfig", "60-motd", "a=b").err()).isEmpty();
        assertThat(cluster.controlPlane()
                        .kubectlWith(cluster.controller(), "apply", "-f", file("99-worker-generated", "worker", "x"))
                        .orFail()
                        .err())
                .isEmpty();
        assertThat(cluster.reviews("validate-machineconfigs", "")).isEqualTo(before);

        assertThat(apply("60-of-nobody", "storage", "x").err()).isEmpty();
        assertThat(kubectl("apply", "-f", cluster.controlPlane().file("""
                        apiVersion: machineconfiguration.openshift.io/v1
                        kind: MachineConfig
                        metadata:
                          name: rendered-worker-7
                          labels: {machineconfiguration.openshift.io/role: worker}
                          ownerReferences:
                            - {apiVersion: machineconfiguration.openshift.io/v1, kind: MachineConfigPool, name: worker, uid: x}
                        spec: {}
                        """)).err())
                .isEmpty();
    }

    @Test
    void noValueOfAMachineConfigIsToldToAnybody() {
        var secret = "s3cr3t-%d".formatted(System.nanoTime());
        var told = apply("60-secret", "worker", secret).err();
        kubectl("label", "machineconfig", "60-secret", "password=" + secret).orFail();
        kubectl("delete", "machineconfig", "60-secret").orFail();

        assertThat(told).containsPattern(WARNING).doesNotContain(secret);
        assertThat(cluster.interlock().log()).doesNotContain(secret);
        assertThat(cluster.interlock().metrics()).doesNotContain(secret);
        assertThat(read(cluster.controlPlane().auditLog())).doesNotContain(secret);
        assertThat(kubectl("-n", "default", "get", "events", "-o", "yaml").out())
                .doesNotContain(secret);
    }

    private Command.Result apply(String name, String role, String content) {
        return kubectl("apply", "-f", file(name, role, content));
    }

    private String file(String name, String role, String content) {
        return cluster.controlPlane().file("""
                apiVersion: machineconfiguration.openshift.io/v1
                kind: MachineConfig
                metadata: {name: "%s", labels: {machineconfiguration.openshift.io/role: "%s"}}
                spec:
                  config:
                    ignition: {version: 3.4.0}
                    systemd: {units: [{name: a.service, contents: "%s"}]}
                    storage: {files: [{path: "/etc/%s", contents: {source: "data:,%s"}}]}
                    passwd: {users: [{name: core, sshAuthorizedKeys: ["%s"]}]}
                """.formatted(name, role, content, content, content, content));
    }

    private Command.Result kubectl(String... arguments) {
        return cluster.controlPlane().kubectl(arguments).orFail();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
