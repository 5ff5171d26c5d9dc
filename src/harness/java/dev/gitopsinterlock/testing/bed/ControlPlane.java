package dev.gitopsinterlock.testing.bed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real Kubernetes control plane of the version in system property {@code kubernetes.version}, started by the test
 * bed and ended with this process, whatever ends it.
 */
public final class ControlPlane implements AutoCloseable {

    static final String VERSION = System.getProperty("kubernetes.version", "1.37.2");

    /** What a test class deleted at its end may still be there for a moment. */
    private static final Duration GONE_WITHIN = Duration.ofSeconds(10);

    private static final Set<ControlPlane> SHARED = ConcurrentHashMap.newKeySet();

    private final Process testbed;
    private final Properties environment;
    private final KubernetesClient admin;
    private final AuditLog changes;
    private final Map<String, Path> kubeconfigs = new ConcurrentHashMap<>();
    private final Set<String> products = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> removals = new ConcurrentLinkedQueue<>();
    private final Set<String> workspaces = ConcurrentHashMap.newKeySet();
    private final Set<Inventory.Item> definitions = ConcurrentHashMap.newKeySet();
    private @Nullable Inventory kept;

    /** What was there when the test class began, or the first that shares this control plane. */
    private @Nullable Inventory begin;

    private ControlPlane(Process testbed, Properties environment) throws IOException {
        this.testbed = testbed;
        this.environment = environment;
        this.changes = new AuditLog(auditLog());
        var config = Config.fromKubeconfig(Files.readString(adminKubeconfig()));
        config.setClientKeyAlgo("EC");
        config.setRequestTimeout((int) Patience.LIMIT.toMillis());
        config.setConnectionTimeout((int) Patience.LIMIT.toMillis());
        this.admin = new KubernetesClientBuilder().withConfig(config).build();
    }

    /**
     * Builds what is missing, which takes minutes the first time, and waits until the API server is ready.
     *
     * @param flags further ones of the API server
     */
    public static ControlPlane start(String... flags) {
        return startWith(
                "up",
                Arrays.stream(flags).map(flag -> "--apiserver-arg=" + flag).toList());
    }

    /** The same, where Deployments get Pods, which are played. */
    public static ControlPlane startWithDeployments() {
        return startWith("up", List.of("--deployments"));
    }

    /** The same, whose API server comes back when it was {@link #killApiServer killed}. */
    public static ControlPlane startToBeKilled() {
        return startWith("up", List.of("--revive-apiserver"));
    }

    /**
     * One with a real Node, for tests that are {@code @RequiresTools(node = true)}. containerd and kubelet come back when they
     * are killed.
     *
     * @param jobs images, by their names, and what they run; {@link #jobImage} is there, too
     * @param images archives of others; nobody can fetch any
     */
    public static ControlPlane startWithNode(Map<String, String> jobs, Path... images) {
        return startWith(
                "node",
                Stream.of(
                                Stream.of("--revive"),
                                jobs.entrySet().stream().map(job -> "--job=" + job.getKey() + "=" + job.getValue()),
                                Arrays.stream(images).map(image -> "--images=" + image))
                        .flatMap(each -> each)
                        .toList());
    }

    /** What Jobs are made of on a real Node: busybox, or at least a shell. */
    public String jobImage() {
        return environment.getProperty("JOB_IMAGE");
    }

    /** The command, to be run as one of this machine's where a real Node, its Pods and Services are. */
    public List<String> onNode(String... command) {
        return onNetworkOf(environment.getProperty("NODE_PID"), command);
    }

    /** The same where a process has its network: a Pod's for example. */
    public static List<String> onNetworkOf(String process, String... command) {
        return Stream.concat(Stream.of("nsenter", "--target", process, "--net"), Stream.of(command))
                .toList();
    }

    /** Ends the API server's process as it is. */
    public void killApiServer() {
        apiServer().destroyForcibly();
    }

    /** The API server's process. */
    public ProcessHandle apiServer() {
        return program("kube-apiserver");
    }

    /** The process of a program that the test bed runs. */
    public ProcessHandle program(String name) {
        return programs(name).findFirst().orElseThrow(() -> new IllegalStateException("no " + name + " runs"));
    }

    /** Whether it runs a program of that name that is not the given process. */
    public boolean runsAnother(ProcessHandle than, String name) {
        return programs(name).anyMatch(process -> !process.equals(than));
    }

    private Stream<ProcessHandle> programs(String name) {
        return testbed.descendants()
                .filter(process -> process.info()
                        .command()
                        .filter(command -> command.endsWith("/" + name))
                        .isPresent());
    }

    private static ControlPlane startWith(String how, List<String> flags) {
        try {
            var command = new ArrayList<>(List.of(
                    Project.directory().resolve("testbed/testbed").toString(),
                    how,
                    "--until-stdin-closes",
                    "--kubernetes",
                    VERSION));
            command.addAll(flags);
            var testbed = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var environment = new Properties();
            var out = new BufferedReader(new InputStreamReader(testbed.getInputStream(), UTF_8));
            while (environment.getProperty("READY") == null) {
                var line = out.readLine();
                if (line == null) {
                    throw new IllegalStateException("the test bed ended before it was ready, see above");
                }
                var pair = line.split("=", 2);
                environment.setProperty(pair[0], pair.length > 1 ? pair[1] : "");
            }
            return new ControlPlane(testbed, environment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Adds the CustomResourceDefinitions of a product that {@code testbed crds} knows, and waits until they are served.
     * They stay: whoever asks for them finds the same, and a tool that runs beside other classes needs them.
     */
    public void addDefinitionsOf(String product) {
        if (!products.add(product)) {
            return;
        }
        addDefinitions(product, Tool.definitions(product));
    }

    /** Adds CustomResourceDefinitions that are files, waits until they are served, and leaves them. */
    public void addDefinitions(String product, List<Path> files) {
        var names = new ArrayList<String>();
        for (var definition : files) {
            kubectl("apply", "--server-side", "-f", definition.toString(), "-o", "jsonpath={.metadata.name}{'\\n'}")
                    .orFail()
                    .out()
                    .lines()
                    .forEach(names::add);
        }
        names.stream().map(Inventory.Item::definition).forEach(definitions::add);
        await(product + " served")
                .atMost(Patience.LIMIT)
                .until(() -> names.stream().allMatch(this::isEstablished));
    }

    private boolean isEstablished(String definition) {
        var served = admin.raw("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + definition);
        return Trees.json(served.getBytes(UTF_8))
                .at("/status/conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("type").asText().equals("Established")
                        && condition.path("status").asText().equals("True"));
    }

    /** A client that may do everything. */
    public KubernetesClient admin() {
        return admin;
    }

    public Path adminKubeconfig() {
        return path("KUBECONFIG");
    }

    public String server() {
        return environment.getProperty("SERVER");
    }

    public Path caFile() {
        return path("CA_FILE");
    }

    /** A serving certificate for 127.0.0.1, with the CA that signed it: tls.crt, tls.key, ca.crt. */
    public Path webhookCertificates() {
        return path("WEBHOOK_CERT_DIR");
    }

    /** One JSON event a line, at level Metadata. */
    public Path auditLog() {
        return path("AUDIT_LOG");
    }

    /** What the API server logs. */
    public Path apiServerLog() {
        return auditLog().resolveSibling("kube-apiserver.log");
    }

    /** What was changed about Jobs and Pods. */
    public AuditLog changes() {
        return changes;
    }

    /** A member of system:masters, in whose name nobody can act. */
    public Path superAdminKubeconfig() {
        return path("SUPER_ADMIN_KUBECONFIG");
    }

    /** Whether others may be impersonated for some actions only (KEP-5284), by default since 1.36. */
    public boolean impersonates() {
        return isAtLeast("1.36");
    }

    /** Whether it is of that minor version or a newer one. */
    public boolean isAtLeast(String minor) {
        return Runtime.Version.parse(version()).compareTo(Runtime.Version.parse(minor)) >= 0;
    }

    public String version() {
        return environment.getProperty("KUBERNETES_VERSION");
    }

    /** The kubectl of the same version. */
    public Path kubectlProgram() {
        return Path.of(environment.getProperty("KUBECTL"));
    }

    /** Runs kubectl as the administrator. */
    public Command.Result kubectl(String... arguments) {
        return kubectlWith(adminKubeconfig(), arguments);
    }

    /** Runs kubectl as a service account that may do everything; makes the account if need be. */
    public Command.Result kubectlAs(String namespace, String serviceAccount, String... arguments) {
        return kubectlWith(kubeconfig(namespace, serviceAccount), arguments);
    }

    /** A file with the text, for kubectl's {@code -f}; gone with the control plane. */
    public String file(String text) {
        try {
            return Files.writeString(Files.createTempFile(path("DIR"), "manifest", ".yaml"), text)
                    .toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs kubectl with the credentials of the file. */
    public Command.Result kubectlWith(Path kubeconfig, String... arguments) {
        return kubectlIn(Map.of("KUBECONFIG", kubeconfig.toString()), arguments);
    }

    /** Runs kubectl as the administrator, with further environment variables. */
    public Command.Result kubectlIn(Map<String, String> variables, String... arguments) {
        var all = new HashMap<>(Map.of("KUBECONFIG", adminKubeconfig().toString()));
        all.putAll(variables);
        var command = new ArrayList<String>();
        command.add(kubectlProgram().toString());
        command.addAll(Arrays.asList(arguments));
        return Command.run(all, command);
    }

    /** A kubeconfig with a token of the account, which is made with all rights. */
    public Path kubeconfig(String namespace, String serviceAccount) {
        return kubeconfigs.computeIfAbsent(namespace + "/" + serviceAccount, key -> {
            var file = plainKubeconfig(namespace, serviceAccount);
            var binding = admin.resource(new ClusterRoleBindingBuilder()
                    .withNewMetadata()
                    .withName(namespace + "-" + serviceAccount)
                    .endMetadata()
                    .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "cluster-admin")
                    .addNewSubject(null, "ServiceAccount", serviceAccount, namespace)
                    .build());
            binding.createOr(NonDeletingOperation::update);
            removals.add(() -> {
                kubeconfigs.remove(key);
                binding.delete();
            });
            return file;
        });
    }

    /** The same for a program {@link #onNode}, which reaches the API server as Pods do. */
    public Path kubeconfigOnNode(String namespace, String serviceAccount) {
        kubeconfig(namespace, serviceAccount);
        var service =
                admin.services().inNamespace("default").withName("kubernetes").get();
        return plainKubeconfig("https://" + service.getSpec().getClusterIP(), namespace, serviceAccount);
    }

    /** A kubeconfig with a token of the account, which is made without any rights if need be. */
    public Path plainKubeconfig(String namespace, String serviceAccount) {
        return plainKubeconfig(server(), namespace, serviceAccount);
    }

    /** The same with another address, behind which the API server is. */
    public Path plainKubeconfig(String server, String namespace, String serviceAccount) {
        try {
            var file = Files.createTempFile(path("DIR"), serviceAccount, ".kubeconfig");
            return Files.writeString(file, """
                    apiVersion: v1
                    kind: Config
                    current-context: it
                    clusters:
                      - name: it
                        cluster: {server: "%s", certificate-authority: "%s"}
                    users:
                      - name: it
                        user: {token: "%s"}
                    contexts:
                      - name: it
                        context: {cluster: it, user: it}
                    """.formatted(server, caFile(), token(namespace, serviceAccount)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A token of the account, which is made without any rights if need be. */
    public String token(String namespace, String serviceAccount) {
        createNamespace(namespace);
        var account = admin.resource(new ServiceAccountBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(serviceAccount)
                .endMetadata()
                .build());
        if (account.get() == null) {
            account.create();
            removals.add(account::delete);
        }
        return admin.serviceAccounts()
                .inNamespace(namespace)
                .withName(serviceAccount)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(7200L)
                        .endSpec()
                        .build())
                .getStatus()
                .getToken();
    }

    /** The revision of the newest change of anything; revisions of all kinds of objects can be compared. */
    public long revision() {
        return Long.parseLong(admin.namespaces().list().getMetadata().getResourceVersion());
    }

    /** Makes it unless it is there, and after the end of one that another class had. */
    public void createNamespace(String name) {
        var namespace = admin.resource(new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build());
        var there = namespace.get();
        if (there != null && there.isMarkedForDeletion()) {
            namespace.waitUntilCondition(Objects::isNull, Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            there = null;
        }
        if (there == null) {
            namespace.create();
            removals.add(namespace::delete);
        }
    }

    /** Makes a Namespace that belongs to a test class, whatever else is kept. */
    void createWorkspace(String name) {
        createNamespace(name);
        workspaces.add(name);
    }

    /** Takes what is there now as what every test class that shares this control plane has to leave as it is. */
    public void keep() {
        removals.clear();
        kept = InventoryReader.read(admin).without(workspaces);
        begin = begin == null ? kept : begin;
        SHARED.add(this);
    }

    /** Those that test classes share, since the first of them asked. */
    static Set<ControlPlane> shared() {
        return SHARED;
    }

    /** Removes something after the test class, where others share this control plane. */
    public void afterClass(Runnable removal) {
        removals.add(removal);
    }

    /**
     * Removes the Namespaces, accounts and the like that a test class made through this object, without waiting for their
     * end. Returns what else is not as it was kept, once; definitions of products may come at any time.
     */
    String clear() {
        for (var removal = removals.poll(); removal != null; removal = removals.poll()) {
            removal.run();
        }
        workspaces.forEach(name -> admin.namespaces().withName(name).delete());
        workspaces.clear();
        var before = Objects.requireNonNull(kept, "nothing is to be kept");
        // each look lists everything: what is on its way out gets the time for it
        var differences = new AtomicReference<>("");
        var end = Instant.now().plus(GONE_WITHIN);
        await("what a test class made is gone")
                .atMost(GONE_WITHIN.plus(Patience.LIMIT))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> {
                    kept = InventoryReader.read(admin);
                    differences.set(kept.differencesFrom(before, Objects.requireNonNull(begin), definitions));
                    return differences.get().isEmpty() || Instant.now().isAfter(end);
                });
        begin = kept;
        return differences.get();
    }

    /** Also ends the test bed's own children. */
    @Override
    public void close() {
        SHARED.remove(this);
        admin.close();
        Programs.end(testbed);
    }

    private Path path(String key) {
        return Path.of(environment.getProperty(key));
    }
}
