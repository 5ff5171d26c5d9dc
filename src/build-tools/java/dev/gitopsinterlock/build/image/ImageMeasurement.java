package dev.gitopsinterlock.build.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.client.RootFileSystem;
import dev.gitopsinterlock.testing.review.ReviewCase;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.MemoryLimit;
import dev.gitopsinterlock.testing.service.MountedSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Prints what docs/performance.md says of the image: start with less than one CPU, and memory. Limits are those of
 * cgroups version 1, which only root may make.
 */
public final class ImageMeasurement {

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");
    private static final int PERIOD = 100_000;
    private static final int STARTS = 5;
    private static final int BIG = 2_800_000;
    private static final RootFileSystem ROOT = new RootFileSystem(ImageBuild.FOLDER.resolve("root"));

    private ImageMeasurement() {}

    public static void main(String[] args) throws IOException {
        System.out.println("load average before: "
                + Files.readString(Path.of("/proc/loadavg")).strip());
        System.out.println("| sync-hold | CPU | ready after, median of " + STARTS
                + " | all | CPU seconds until then |\n|---|--:|--:|---|--:|");
        for (var syncHold : List.of("Disabled", "Enabled")) {
            for (int percent : List.of(100, 50, 25)) {
                start(syncHold, percent);
            }
        }
        memory();
    }

    /** Enabled looks for an API server, and finds none. */
    private static void start(String syncHold, int percent) throws IOException {
        var group = Files.createDirectory(CGROUPS.resolve(
                "cpu/gitops-interlock-" + ProcessHandle.current().pid()));
        try {
            Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD));
            Files.writeString(group.resolve("cpu.cfs_quota_us"), Integer.toString(PERIOD / 100 * percent));
            var seconds = new ArrayList<Double>();
            var cpu = new ArrayList<Double>();
            for (int i = 0; i < STARTS; i++) {
                long begin = System.nanoTime();
                try (var interlock = service(MemoryLimit.inGroup(group))
                        .with("gitops-interlock.machine-configs.sync-hold", syncHold)
                        .launch()) {
                    interlock.awaitReady();
                    seconds.add((System.nanoTime() - begin) / 1e9);
                    cpu.add(interlock
                                    .process()
                                    .info()
                                    .totalCpuDuration()
                                    .orElseThrow()
                                    .toMillis()
                            / 1e3);
                }
            }
            System.out.printf(
                    "| %s | %.2f | %.1f s | %s | %.2f |%n",
                    syncHold, percent / 100.0, median(seconds), rounded(seconds), median(cpu));
        } finally {
            Files.delete(group);
        }
    }

    private static void memory() throws IOException {
        try (var limit = MemoryLimit.ofMebibytes(256);
                var interlock = service(limit.starter()).start();
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var small = ReviewCase.named("wholeReviewFromArgoCd");
            interlock.ask(small);
            System.out.println("| | resident | charged to the cgroup |\n|---|--:|--:|");
            report("idle, after one review", interlock, limit);
            IntStream.range(0, 3000).forEach(i -> interlock.ask(small));
            report("after 3000 reviews", interlock, limit);
            var review = big(small);
            for (int round = 1; round <= 3; round++) {
                var answers = IntStream.range(0, 16)
                        .mapToObj(
                                i -> CompletableFuture.supplyAsync(() -> interlock.ask(small.path(), review), clients))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .filter(answer -> answer.statusCode() == 200)
                        .count();
                report(
                        "after 16 reviews of 2.8 MB at once, round " + round + ", " + answers + " answered",
                        interlock,
                        limit);
            }
            System.out.println("most ever resident: " + status(interlock, "VmHWM:") + " MiB; most ever charged: "
                    + limit.mebibytesAtMost() + " MiB; alive: "
                    + interlock.process().isAlive());
        }
    }

    private static Interlock.Builder service(List<String> starter) throws IOException {
        var entrypoint = entrypoint();
        return Interlock.serving(MountedSecret.create().directory())
                .in(mounts -> ROOT.reading(1_000_700_000, mounts, entrypoint))
                .startedBy(starter)
                .with("gitops-interlock.jobs.allow-overrides", "false")
                .withJvmFlag("-XX:AOTMode=on");
    }

    public static List<String> entrypoint() throws IOException {
        var words = new ArrayList<String>();
        new ObjectMapper()
                .readTree(ImageBuild.FOLDER.resolve("config.json").toFile())
                .at("/config/Entrypoint")
                .forEach(word -> words.add(word.asText()));
        return words;
    }

    /** Both objects grown by environment variables. */
    private static ObjectNode big(ReviewCase small) {
        var review = small.review();
        for (var object : List.of("object", "oldObject")) {
            var env =
                    ((ObjectNode) review.at("/request/" + object + "/spec/template/spec/containers/0")).putArray("env");
            for (int size = 0; size < BIG / 2; size += 140) {
                env.addObject().put("name", "VARIABLE_" + size).put("value", "v".repeat(100));
            }
        }
        return review;
    }

    private static void report(String when, Interlock interlock, MemoryLimit limit) throws IOException {
        System.out.printf("| %s | %d MiB | %d MiB |%n", when, status(interlock, "VmRSS:"), limit.mebibytesNow());
    }

    private static long status(Interlock interlock, String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + interlock.process().pid() + "/status")).stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                .findFirst()
                .orElseThrow();
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static String rounded(List<Double> values) {
        return String.join(
                ", ",
                values.stream()
                        .sorted()
                        .map(value -> String.format("%.1f", value))
                        .toList());
    }
}
