package dev.gitopsinterlock.cli;

import dev.gitopsinterlock.check.JobScan;
import dev.gitopsinterlock.check.ScannedJob;
import dev.gitopsinterlock.cli.cluster.ClusterOptions;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.scan.ScanFormat;
import dev.gitopsinterlock.cli.scan.ScanReport;
import dev.gitopsinterlock.config.PackagedPages;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
        footer = {
            "  kubectl interlock scan",
            "  gitops-interlock scan --context prod -n shop -o json",
            "  gitops-interlock scan -o html > jobs.html",
            "  gitops-interlock scan -o openreports | kubectl apply --server-side -f -"
        })
final class ScanCommand implements Callable<Integer> {

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
            description = "text, json, html, openreports (default: ${DEFAULT-VALUE}).")
    private ScanFormat format = ScanFormat.TEXT;

    ScanCommand() {}

    @Override
    public Integer call() throws IOException, Unreadable {
        var report = scan();
        format.write(report, spec.commandLine().getOut());
        return report.found().isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.FINDINGS;
    }

    private ScanReport scan() throws IOException, Unreadable {
        var scan = new JobScan(PackagedPages.withoutAddress());
        var found = new ArrayList<ScannedJob>();
        var jobs = new TreeMap<String, Integer>();
        var seen = new AtomicInteger();
        var bar = new ProgressBar(spec.commandLine().getErr(), Terminal.showsErrors());
        try {
            cluster.reader()
                    .list(
                            path(),
                            job -> {
                                seen.incrementAndGet();
                                scan.of(job).ifPresent(scanned -> {
                                    jobs.merge(scanned.job().namespace(), 1, Integer::sum);
                                    if (!scanned.isFine()) {
                                        found.add(scanned);
                                    }
                                });
                            },
                            remaining -> bar.show(seen.get(), remaining));
        } finally {
            bar.clear();
        }
        return new ScanReport(found, jobs, Instant.now(), Interlock.Version.number());
    }

    private String path() {
        return namespace == null ? "/apis/batch/v1/jobs" : "/apis/batch/v1/namespaces/" + namespace + "/jobs";
    }
}
