package dev.gitopsinterlock.build.image;

import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.Interlock.Answer;
import dev.gitopsinterlock.testing.service.MountedSecret;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Sends the packaged service every review of the cases, so that the JVM writes the classes it needs into the
 * AOT cache beside it. What does not run here is slow at its first use in a cluster.
 */
final class AotTraining {

    private AotTraining() {}

    public static void main(String[] args) throws IOException {
        System.out.println("service: training its AOT cache, about 20 s");
        Files.deleteIfExists(Interlock.AOT_CACHE);
        var log = train(
                Path.of(System.getProperty("java.home")),
                Interlock.APPLICATION,
                List.of(
                        "-XX:AOTCacheOutput=" + Interlock.AOT_CACHE,
                        // by them C1 would compile at every start what the training used, for an eighth of the start's
                        // CPU time
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-AOTRecordTraining"));
        if (Files.notExists(Interlock.AOT_CACHE)) {
            throw new IllegalStateException("no AOT cache was made, see target/interlock-logs: "
                    + log.lines().toList().getLast());
        }
    }

    /** Runs a copy of the package by a Java runtime with further flags of the JVM; its log. */
    static String train(Path runtime, Path application, List<String> jvmFlags) {
        var service = Interlock.serving(MountedSecret.create().directory())
                .of(runtime, application)
                // writes the cache while it stops; a machine that is busy with other things takes minutes for that
                .within(Duration.ofMinutes(15))
                .replacing()
                // not asked for first, because nobody answers
                .with("gitops-interlock.replacement.as", "Requester")
                // nobody listens there: the watch on Namespaces is tried and fails, which loads what it needs
                .with("quarkus.kubernetes-client.api-server-url", "https://127.0.0.1:1");
        jvmFlags.forEach(service::withJvmFlag);
        var interlock = service.launch();
        try (interlock) {
            interlock.awaitLive();
            for (var given : ReviewCase.all()) {
                expect(given.isMalformed() ? 400 : 200, interlock.ask(given), given.name());
            }
            for (var name : List.of("node", "machineconfig", "kubeletconfig")) {
                var path = name.equals("node") ? "/validate/nodes" : "/validate/machineconfigs";
                expect(200, interlock.ask(path, Trees.resource("reviews/others/" + name + ".yaml")), name);
            }
            expect(503, interlock.get("/q/health/ready"), "/q/health/ready");
            expect(200, interlock.get("/q/metrics"), "/q/metrics");
            expect(200, interlock.get("/"), "/");
        }
        return interlock.log();
    }

    private static void expect(int status, Answer answer, String what) {
        if (answer.statusCode() != status) {
            throw new IllegalStateException(what + " got " + answer + " instead of " + status);
        }
    }
}
