package dev.gitopsinterlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.check.JobScan;
import dev.gitopsinterlock.check.ScannedJob;
import dev.gitopsinterlock.cli.cluster.ClusterOptions;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.config.PackagedPages;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Reads the Jobs of a cluster and says which ones will be refused at their next change. */
@Command(
        name = "scan",
        description = {
            "Reads the Jobs of a cluster and says which of them will be refused when their image changes, in whose hands"
                    + " they are, and what to do. Reads only.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {"  kubectl interlock scan", "  gitops-interlock scan --context prod -n shop -o json"})
final class ScanCommand implements Callable<Integer> {

    /** What it writes. */
    enum Format {
        TEXT,
        JSON
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Only Jobs of this Namespace; all of them by default.")
    private @Nullable String namespace;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text, json (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    ScanCommand() {}

    @Override
    public Integer call() throws Unreadable {
        var scan = new JobScan(PackagedPages.withoutAddress());
        var found = new ArrayList<ScannedJob>();
        var count = new Count();
        cluster.reader()
                .list(
                        path(),
                        job -> scan(scan, job, count)
                                .filter(each -> !each.isFine())
                                .ifPresent(found::add),
                        remaining -> progress(count, remaining));
        var out = spec.commandLine().getOut();
        switch (format) {
            case TEXT -> text(found, count, out);
            case JSON -> out.println(json(found, count).toPrettyString());
        }
        return found.isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.FINDINGS;
    }

    /** How many Jobs there were that somebody can change. */
    private static final class Count {
        private int jobs;
    }

    private static Optional<ScannedJob> scan(JobScan scan, JsonNode job, Count count) {
        var scanned = scan.of(job);
        count.jobs += scanned.isPresent() ? 1 : 0;
        return scanned;
    }

    /** Only where somebody watches. */
    private void progress(Count count, int remaining) {
        if (remaining > 0 && Ansi.AUTO.enabled()) {
            spec.commandLine().getErr().printf("%d Jobs scanned, about %d to go%n", count.jobs, remaining);
        }
    }

    private String path() {
        return namespace == null ? "/apis/batch/v1/jobs" : "/apis/batch/v1/namespaces/" + namespace + "/jobs";
    }

    private static void text(List<ScannedJob> found, Count count, PrintWriter out) {
        for (var job : found) {
            job.refusal()
                    .ifPresent(refusal -> out.printf(
                            "%s (%s) will be refused when its image changes: %s%n  %s%n",
                            job.job(), job.tool(), refusal.code(), refusal.remedy()));
            job.advice().forEach(advice -> out.printf("%s (%s): %s%n", job.job(), job.tool(), advice));
        }
        out.printf(
                "%d Jobs, %d to look at%s%n",
                count.jobs, found.size(), found.isEmpty() ? "" : "; gitops-interlock explain CODE says more");
    }

    private static JsonNode json(List<ScannedJob> found, Count count) {
        var root = JsonNodeFactory.instance.objectNode();
        root.put("version", 1);
        root.put("jobs", count.jobs);
        var list = root.putArray("found");
        for (var job : found) {
            var each = list.addObject();
            each.put("namespace", job.job().namespace());
            each.put("name", job.job().name());
            each.put("tool", job.tool());
            job.refusal().ifPresent(refusal -> {
                each.put("code", refusal.code());
                each.put("remedy", refusal.remedy());
            });
            var advice = each.putArray("advice");
            job.advice().forEach(advice::add);
        }
        return root;
    }
}
