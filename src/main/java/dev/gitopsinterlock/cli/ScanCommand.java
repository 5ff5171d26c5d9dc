package dev.gitopsinterlock.cli;

import dev.gitopsinterlock.check.ObjectScan;
import dev.gitopsinterlock.check.ScannedObject;
import dev.gitopsinterlock.cli.cluster.ClusterOptions;
import dev.gitopsinterlock.cli.cluster.PartialReader;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.output.Escape;
import dev.gitopsinterlock.cli.scan.ForgottenApplications;
import dev.gitopsinterlock.cli.scan.ScanFormat;
import dev.gitopsinterlock.cli.scan.ScanReport;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.kinds.GuardedKinds;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads the objects of a cluster and says which ones will be refused at their next change. */
@Command(
        name = "scan",
        description = {
            "Reads a cluster and says which objects will be refused their next change, which tool has them, and what to do"
                    + " then: Jobs when their image changes; StatefulSets, Deployments and DaemonSets with a version in labels"
                    + " that cannot change; Jobs with marks that do nothing; and Applications of Argo CD that are Synced, perhaps at"
                    + " a commit that was not applied. Reads only.",
            ""
        },
        footer = {
            "  kubectl interlock scan",
            "  gitops-interlock scan --context prod -n shop -o json",
            "  gitops-interlock scan -o html > scan.html",
            "  gitops-interlock scan -o openreports | kubectl apply --server-side -f -"
        })
final class ScanCommand extends Subcommand {

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "Only this Namespace; all of them by default.")
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
        var unread = new ArrayList<String>();
        var report = scan(unread);
        format.write(report, out());
        unread.forEach(line -> Escape.printf(errors(), "%s%n", line));
        if (!unread.isEmpty()) {
            return ExitCode.TROUBLE;
        }
        return report.found().isEmpty() ? ExitCode.NOTHING_FOUND : ExitCode.FINDINGS;
    }

    private ScanReport scan(List<String> unread) throws IOException, Unreadable {
        var scan = new ObjectScan(PackagedPages.withoutAddress());
        var found = new ArrayList<ScannedObject>();
        var objects = new TreeMap<String, Integer>();
        var seen = new AtomicInteger();
        var bar = new ProgressBar(errors(), Terminal.showsErrors());
        var reader = cluster.reader();
        var place = namespace == null ? "" : namespace;
        try {
            for (var kind : GuardedKinds.ALL.all()) {
                var path = kind.type().path(place);
                if (kind.manifests().nextChange().isEmpty()) {
                    continue;
                }
                var first = reader.read(path + "?limit=1");
                if (first.isRefused()) {
                    unread.add("%ss were not scanned: %s".formatted(kind.name(), first.obstacle()));
                    continue;
                }
                reader.list(
                        path,
                        object -> {
                            seen.incrementAndGet();
                            scan.of(kind, object).ifPresent(scanned -> {
                                objects.merge(scanned.object().namespace(), 1, Integer::sum);
                                if (!scanned.isFine()) {
                                    found.add(scanned);
                                }
                            });
                        },
                        remaining -> bar.show(seen.get(), remaining));
            }
        } finally {
            bar.clear();
        }
        var partial = new PartialReader(reader);
        for (var application : ForgottenApplications.in(place, partial)) {
            objects.merge(application.object().namespace(), 1, Integer::sum);
            found.add(application);
        }
        unread.addAll(partial.unread());
        return new ScanReport(found, objects, Instant.now(), Interlock.Version.number());
    }
}
