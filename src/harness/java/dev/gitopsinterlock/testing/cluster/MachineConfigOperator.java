package dev.gitopsinterlock.testing.cluster;

import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Programs;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.run.Ports;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * OpenShift's own machine-config controllers beside a control plane, out of somebody's checkout of
 * openshift/machine-config-operator, with the account that they have in OpenShift. Nothing is put into the checkout.
 *
 * <p>There are no machines to restart, so the test bed's stand-in plays the daemons, in half a second for each Node.
 */
public final class MachineConfigOperator implements AutoCloseable {

    /** The system property that says where the checkout is. */
    public static final String SOURCE = "machine-config-operator.source";

    /** What {@code make test-machineconfig} builds of it. */
    private static final Path PROGRAM = Project.directory().resolve("target/machine-config-operator/controller");

    private static final String CONTROLLER = "machine-config-controller";

    private static final double PACE_OF_DAEMONS = 0.05;

    /** Where the checkout has the definitions of what the controllers watch. */
    private static final List<String> DEFINITIONS = List.of(
            "config/v1",
            "operator/v1",
            "operator/v1alpha1",
            "machineconfiguration/v1",
            "machineconfiguration/v1alpha1");

    /** Of the two groups that are not only about machines and their configuration, these are watched. */
    private static final Pattern WATCHED = Pattern.compile(
            ".*machine-config_01_.*|.*_(apiservers|clusterimagepolicies|clusterversions|criocredentialproviderconfigs|"
                    + "featuregates|imagecontentsourcepolicies|imagedigestmirrorsets|imagepolicies|images|"
                    + "imagetagmirrorsets|infrastructures|nodes|schedulers)(-.*)?\\.crd\\.yaml");

    /** Variants of other products, and with features that are not on by default. */
    private static final Pattern VARIANT =
            Pattern.compile(".*-(Hypershift|CustomNoUpgrade|DevPreviewNoUpgrade|TechPreviewNoUpgrade|OKD)\\b.*");

    private final ControlPlane kubernetes;
    private final Path source;
    private final Programs programs;
    private Optional<MachineConfigController> daemons = Optional.empty();

    private MachineConfigOperator(ControlPlane kubernetes, Path source) throws IOException {
        this.kubernetes = kubernetes;
        this.source = source;
        this.programs = new Programs("machine-config-operator", List.of("POD_NAME=" + CONTROLLER));
    }

    /**
     * Installs the checkout's definitions and what a cluster has before its first Node, starts the controllers, and waits
     * until the pools master and worker have a configuration.
     *
     * @param source the checkout
     */
    public static MachineConfigOperator start(ControlPlane kubernetes, Path source) {
        try {
            var operator = new MachineConfigOperator(kubernetes, source);
            try {
                operator.define();
                operator.createCluster();
                operator.launch();
                return operator;
            } catch (IOException | RuntimeException | Error e) {
                operator.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void define() throws IOException {
        var files = new LinkedHashMap<String, Path>();
        for (var folder : DEFINITIONS) {
            var manifests = source.resolve("vendor/github.com/openshift/api/" + folder + "/zz_generated.crd-manifests");
            try (var all = Files.list(manifests)) {
                all.sorted()
                        .filter(file ->
                                WATCHED.matcher(file.getFileName().toString()).matches())
                        .filter(file ->
                                !VARIANT.matcher(file.getFileName().toString()).matches())
                        .forEach(file -> files.putIfAbsent(file.getFileName().toString(), file));
            }
        }
        for (var file : files.values()) {
            kubernetes
                    .kubectl("apply", "--server-side", "--force-conflicts", "-f", file.toString())
                    .orFail();
        }
        for (var file : files.values()) {
            await("served " + file.getFileName())
                    .atMost(Patience.LIMIT)
                    .until(() -> kubernetes
                                    .kubectl(
                                            "wait",
                                            "--for=condition=Established",
                                            "--timeout=30s",
                                            "-f",
                                            file.toString())
                                    .exitCode()
                            == 0);
        }
    }

    private void createCluster() {
        List.of(
                        MachineConfigController.NAMESPACE,
                        "openshift-config",
                        "openshift-config-managed",
                        "openshift-machine-api")
                .forEach(kubernetes::createNamespace);
        apply(OBJECTS);
        STATUS.forEach((object, status) -> kubernetes
                .kubectl(
                        "patch",
                        object.substring(0, object.indexOf('/')),
                        object.substring(object.indexOf('/') + 1),
                        "--subresource=status",
                        "--type=merge",
                        "-p",
                        ("{'status': " + status + "}").replace('\'', '"'))
                .orFail());
        List.of("master", "worker")
                .forEach(pool -> kubernetes
                        .kubectl(
                                "apply",
                                "-f",
                                source.resolve("manifests/%s.machineconfigpool.yaml".formatted(pool))
                                        .toString())
                        .orFail());
        kubernetes
                .kubectl(
                        "-n",
                        "openshift-config",
                        "create",
                        "secret",
                        "docker-registry",
                        "pull-secret",
                        "--docker-server=registry.example",
                        "--docker-username=nobody",
                        "--docker-password=nothing")
                .orFail();
        // "apply" would leave out what is null, and has to be there
        kubernetes.kubectl("create", "-f", kubernetes.file(CONTROLLER_CONFIG)).orFail();
    }

    private void launch() throws IOException {
        programs.start(
                CONTROLLER,
                Redirect.DISCARD,
                PROGRAM,
                "start",
                "--kubeconfig=" + kubernetes.kubeconfig(MachineConfigController.NAMESPACE, CONTROLLER),
                "--resourcelock-namespace=" + MachineConfigController.NAMESPACE,
                "--templates=" + source.resolve("templates"),
                "--metrics-listen-address=127.0.0.1:" + Ports.free(),
                "--streams-cache=",
                "-v=2");
        var openShift = OpenShift.on(kubernetes);
        await("both pools have a configuration, see " + programs.logs())
                .atMost(Patience.LIMIT)
                .until(() -> openShift.pools().stream()
                                .filter(pool -> pool.at("/spec/configuration/name")
                                        .asText()
                                        .startsWith("rendered-"))
                                .count()
                        == 2);
        daemons = Optional.of(MachineConfigController.daemons(kubernetes, PACE_OF_DAEMONS));
    }

    /** What the controllers said, one line each. */
    public String log() {
        try {
            return Files.readString(programs.logs().resolve(CONTROLLER + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void apply(String manifest) {
        kubernetes.kubectl("apply", "-f", kubernetes.file(manifest)).orFail();
    }

    @Override
    public void close() {
        daemons.ifPresent(MachineConfigController::close);
        programs.close();
    }

    private static final String OBJECTS = """
            apiVersion: config.openshift.io/v1
            kind: ClusterVersion
            metadata: {name: version}
            spec: {clusterID: 00000000-0000-4000-8000-000000000000}
            ---
            apiVersion: config.openshift.io/v1
            kind: FeatureGate
            metadata: {name: cluster}
            spec: {}
            ---
            apiVersion: config.openshift.io/v1
            kind: Infrastructure
            metadata: {name: cluster}
            spec: {platformSpec: {type: None}}
            ---
            apiVersion: config.openshift.io/v1
            kind: Node
            metadata: {name: cluster}
            spec: {}
            ---
            apiVersion: config.openshift.io/v1
            kind: Scheduler
            metadata: {name: cluster}
            spec: {mastersSchedulable: false}
            ---
            apiVersion: config.openshift.io/v1
            kind: APIServer
            metadata: {name: cluster}
            spec: {}
            ---
            apiVersion: config.openshift.io/v1
            kind: Image
            metadata: {name: cluster}
            spec: {}
            ---
            apiVersion: operator.openshift.io/v1
            kind: MachineConfiguration
            metadata: {name: cluster}
            spec: {managementState: Managed}
            """;

    private static final Map<String, String> STATUS = Map.of(
            "clusterversions.config.openshift.io/version",
            """
            {'desired': {'version': '0.0.1-snapshot', 'image': 'registry.example/release'}, 'observedGeneration': 1,
             'versionHash': 'none', 'availableUpdates': [],
             'history': [{'state': 'Completed', 'version': '0.0.1-snapshot', 'image': 'registry.example/release',
                          'verified': false, 'startedTime': '2026-01-01T00:00:00Z', 'completionTime': '2026-01-01T00:00:00Z'}]}
            """,
            "featuregates.config.openshift.io/cluster",
            """
            {'featureGates': [{'version': '0.0.1-snapshot', 'enabled': [], 'disabled': []}]}
            """,
            "infrastructures.config.openshift.io/cluster",
            """
            {'infrastructureName': 'cluster', 'controlPlaneTopology': 'HighlyAvailable',
             'infrastructureTopology': 'HighlyAvailable', 'apiServerURL': 'https://api.cluster.example:6443',
             'apiServerInternalURI': 'https://api-int.cluster.example:6443', 'platformStatus': {'type': 'None'}}
            """);

    /** What the operator makes of a cluster on no cloud; of the version that a plain build calls itself. */
    private static final String CONTROLLER_CONFIG = """
            apiVersion: machineconfiguration.openshift.io/v1
            kind: ControllerConfig
            metadata:
              name: machine-config-controller
              annotations: {machineconfiguration.openshift.io/generated-by-version: v0.0.0-was-not-built-properly}
            spec:
              additionalTrustBundle: null
              baseOSContainerImage: registry.example/os
              cloudProviderCAData: null
              cloudProviderConfig: ""
              clusterDNSIP: 172.30.0.10
              dns: {apiVersion: config.openshift.io/v1, kind: DNS, spec: {baseDomain: cluster.example}}
              images: {infraImageKey: registry.example/pause, kubeClientAgentImageKey: registry.example/agent}
              infra:
                apiVersion: config.openshift.io/v1
                kind: Infrastructure
                spec: {cloudConfig: {name: ""}, platformSpec: {type: None}}
                status:
                  infrastructureName: cluster
                  controlPlaneTopology: HighlyAvailable
                  infrastructureTopology: HighlyAvailable
                  apiServerURL: https://api.cluster.example:6443
                  apiServerInternalURI: https://api-int.cluster.example:6443
                  etcdDiscoveryDomain: ""
                  platformStatus: {type: None}
              ipFamilies: IPv4
              kubeAPIServerServingCAData: Q0E=
              network: null
              networkType: OVNKubernetes
              osImageURL: registry.example/os
              platform: none
              proxy: null
              pullSecret: {apiVersion: v1, kind: Secret, namespace: openshift-config, name: pull-secret}
              releaseImage: registry.example/release
              rootCAData: Q0E=
            """;
}
