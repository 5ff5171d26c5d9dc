package dev.gitopsinterlock.testing.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.run.Ports;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The packaged service as a process of its own, on free ports of 127.0.0.1, as the image will run it. */
public final class Interlock implements AutoCloseable {

    /** The package. */
    public static final Path APPLICATION =
            Project.directory().resolve(System.getProperty("interlock.application", "target/quarkus-app"));

    /** Classes as the JVM had them in memory when it was trained on this package; see {@code AotTraining}. */
    public static final Path AOT_CACHE = APPLICATION.resolve("app.aot");

    /** The JVM's flags in the image, in the form of an argument file. */
    public static final Path JVM_FLAGS = Project.directory().resolve("src/main/image/java.options");

    /** What the API server proves by that it is the one who calls; the last part of the registrations' paths. */
    public static final String TOKEN = "c4113rt0k3nf0rt3sts0";

    private static final HttpClient HTTP =
            HttpClient.newBuilder().sslContext(Tls.context()).build();

    private final Process process;
    private final Path log;
    private final int port;
    private final int managementPort;
    private final Duration patience;

    private Interlock(Process process, Path log, int port, int managementPort, Duration patience) {
        this.process = process;
        this.log = log;
        this.port = port;
        this.managementPort = managementPort;
        this.patience = patience;
    }

    /** A way to start an image. */
    public interface Container {

        /**
         * The command, which is given the variable JAVA_TOOL_OPTIONS for what is inside.
         *
         * @param mounts folders of this machine, by the place where they appear
         */
        List<String> starting(Map<String, Path> mounts);
    }

    /** The settings of a service that is about to start. */
    public static final class Builder {

        private final List<String> jvmFlags = new ArrayList<>();
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final List<String> arguments = new ArrayList<>();

        private final Path certificates;
        private Path runtime = Path.of(System.getProperty("java.home"));
        private Path application = APPLICATION;
        private @Nullable Container container;
        private List<String> starter = List.of();
        private Duration patience = Patience.LIMIT;

        private Builder(Path certificates) {
            this.certificates = certificates;
            with("gitops-interlock.certificate.directory", certificates.toString());
            with("gitops-interlock.certificate.poll-interval", "100ms");
            with("quarkus.http.host", "127.0.0.1");
            with("quarkus.management.host", "127.0.0.1");
            with("quarkus.shutdown.delay", "0s");
            with("gitops-interlock.caller-token", TOKEN);
            // both engines have to pass the tests of connections
            Optional.ofNullable(System.getProperty("tls.engine"))
                    .ifPresent(engine -> with("gitops-interlock.tls.engine", engine));
        }

        public Builder with(String property, String value) {
            properties.put(property, value);
            return this;
        }

        /** How long it may take to start and to stop, and six times as long as an answer may; five minutes otherwise. */
        public Builder within(Duration time) {
            patience = time;
            return this;
        }

        /** Takes a setting away. */
        public Builder without(String property) {
            properties.remove(property);
            return this;
        }

        /** Carries edits out wherever a Job or a Namespace says so. */
        public Builder replacing() {
            return with("gitops-interlock.replacement.enabled", "true")
                    .with("gitops-interlock.replacement.stateful-sets", "true")
                    .with("gitops-interlock.replacement.allow-job-annotations", "true");
        }

        /** A flag beside those of the image. */
        public Builder withJvmFlag(String flag) {
            jvmFlags.add(flag);
            return this;
        }

        /** An argument of the program, where it is the package. */
        public Builder withArgument(String argument) {
            arguments.add(argument);
            return this;
        }

        /** Runs another copy of the package by another Java runtime, without the AOT cache of the build. */
        public Builder of(Path otherRuntime, Path otherApplication) {
            runtime = otherRuntime;
            application = otherApplication;
            return this;
        }

        /** Runs what an image says, in its files. */
        public Builder in(Container ofImage) {
            container = ofImage;
            return this;
        }

        /** Starts it by a program that becomes the command behind its arguments. */
        public Builder startedBy(List<String> program) {
            starter = program;
            return this;
        }

        /** Watches the control plane with an account that may do what the service needs, and no more; carries edits out. */
        public Builder watching(ControlPlane controlPlane) {
            return replacing()
                    .with("quarkus.kubernetes-client.api-server-url", controlPlane.server())
                    .with("quarkus.kubernetes-client.namespace", "gitops-interlock")
                    .with(
                            "quarkus.kubernetes-client.ca-cert-file",
                            controlPlane.caFile().toString())
                    .with(
                            "quarkus.kubernetes-client.token",
                            controlPlane.token("gitops-interlock", "gitops-interlock"));
        }

        /** Starts the process and does not wait for anything. */
        public Interlock launch() {
            try {
                int port = Ports.free();
                int managementPort = Ports.free();
                with("quarkus.http.ssl-port", Integer.toString(port));
                with("quarkus.management.port", Integer.toString(managementPort));
                var logs = Files.createDirectories(Project.directory().resolve("target/interlock-logs"));
                var log = Files.createTempFile(logs, "interlock-", ".log");
                var builder = container == null ? ofPackage() : inside(container);
                var process = builder.redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
                Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
                return new Interlock(process, log, port, managementPort, patience);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private ProcessBuilder ofPackage() {
            var command = new ArrayList<>(starter);
            command.add(runtime.resolve("bin/java").toString());
            command.add("@" + JVM_FLAGS);
            if (application.equals(APPLICATION) && Files.exists(AOT_CACHE)) {
                command.add("-XX:AOTCache=" + AOT_CACHE);
            }
            command.addAll(flagsAndProperties());
            command.add("-jar");
            command.add(application.resolve("quarkus-run.jar").toString());
            command.addAll(arguments);
            return new ProcessBuilder(command);
        }

        /** With the environment of a container, and what we say besides in the variable that every JVM reads. */
        private ProcessBuilder inside(Container ofImage) {
            properties.remove("gitops-interlock.certificate.directory");
            var command = new ArrayList<>(starter);
            command.addAll(ofImage.starting(Map.of("etc/gitops-interlock/tls", certificates)));
            var builder = new ProcessBuilder(command);
            builder.environment().keySet().retainAll(List.of("PATH", "HOME"));
            builder.environment().put("JAVA_TOOL_OPTIONS", String.join(" ", flagsAndProperties()));
            return builder;
        }

        private List<String> flagsAndProperties() {
            var words = new ArrayList<>(jvmFlags);
            properties.forEach((key, value) -> words.add("-D" + key + "=" + value));
            return words;
        }

        /** Starts the process and waits until it is ready. */
        public Interlock start() {
            var interlock = launch();
            interlock.awaitReady();
            return interlock;
        }
    }

    public static Builder serving(Path certificates) {
        return new Builder(certificates);
    }

    public void awaitReady() {
        awaitHealth("ready");
    }

    /** What it can be without an API server. */
    public void awaitLive() {
        awaitHealth("live");
        // its management port is open before the webhook's
        await("listens").atMost(patience).until(() -> {
            try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return true;
            } catch (ConnectException e) {
                return false;
            }
        });
    }

    private void awaitHealth(String check) {
        await("service " + check).atMost(patience).until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError("the service ended: " + log());
            }
            return get("/q/health/" + check).statusCode() == 200;
        });
    }

    /** Where the API server calls it. */
    public String url() {
        return "https://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /** Host and port of metrics and health. */
    public String management() {
        return "127.0.0.1:" + managementPort;
    }

    /** What its heap has in use after a full collection, in megabytes. */
    public double heapAfterCollection() {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Command.run(Map.of(), List.of(jcmd, Long.toString(process().pid()), "GC.run"))
                .orFail();
        return Metrics.of(metrics()).sum("jvm_memory_used_bytes", "area=\"heap\"") / 1e6;
    }

    public String metrics() {
        return get("/q/metrics").body();
    }

    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ProcessHandle process() {
        return process.toHandle();
    }

    /** Stops the process where it is, as a machine does that is put to sleep. */
    public void standStill() {
        signal("STOP");
    }

    /** Lets it go on. */
    public void goOn() {
        signal("CONT");
    }

    private void signal(String name) {
        Command.run(Map.of(), List.of("kill", "-" + name, Long.toString(process.pid())))
                .orFail();
    }

    /** Waits for the end of a process that is expected to end by itself. */
    public int awaitExit() {
        await("service ended").atMost(patience).until(() -> !process.isAlive());
        return process.exitValue();
    }

    /** The answer to a review of the API server's. */
    public Answer ask(ReviewCase given) {
        return ask(given.path() + "/" + TOKEN, given);
    }

    /** The answer to a review that comes in on another path than it should. */
    public Answer ask(String path, ReviewCase given) {
        return ask(path, given.review());
    }

    /** The answer to a review that is no Job's. */
    public Answer ask(String path, JsonNode review) {
        return send(HttpRequest.newBuilder(URI.create(url() + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(Trees.bytes(review))));
    }

    /** The answer to a request of any kind. */
    public Answer post(String path, String type, String body) {
        return post("POST", path, type, body);
    }

    public Answer post(String method, String path, String type, String body) {
        return send(HttpRequest.newBuilder(URI.create(url() + path))
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body)));
    }

    /** A response of the management port; status 0 while nobody listens. */
    public Answer get(String path) {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + managementPort + path)));
    }

    private Answer send(HttpRequest.Builder unlimited) {
        var request = unlimited.timeout(patience.dividedBy(6)).build();
        try {
            var response = HTTP.send(request, BodyHandlers.ofString(UTF_8));
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            return new Answer(0, "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Status and body of an HTTP response. */
    public record Answer(int statusCode, String body) {}

    @Override
    public void close() {
        process.destroy();
        await("service stopped").atMost(patience).until(() -> !process.isAlive());
    }
}
