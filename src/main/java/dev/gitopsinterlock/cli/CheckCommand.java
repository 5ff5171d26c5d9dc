package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.check.CustomResourceCheck;
import dev.gitopsinterlock.check.Findings;
import dev.gitopsinterlock.check.ManifestCheck;
import dev.gitopsinterlock.check.Severity;
import dev.gitopsinterlock.cli.cel.RuleEvaluators;
import dev.gitopsinterlock.cli.cluster.LiveObjects;
import dev.gitopsinterlock.cli.input.ChartFolder;
import dev.gitopsinterlock.cli.input.ManifestTree;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.output.Escape;
import dev.gitopsinterlock.cli.report.Format;
import dev.gitopsinterlock.cli.report.Report;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.kinds.GuardedKinds;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Compares manifests before and after a change, and says which of them will be refused. */
@Command(
        name = "check",
        description = {
            "Compares manifests before and after a change and says which objects Kubernetes will refuse to change, and"
                    + " what to do in the tool that applies them. Reads rendered manifests; needs no cluster but for --live.",
            ""
        },
        footer = {
            "  gitops-interlock check --git main...HEAD",
            "  gitops-interlock check --git main...HEAD -o github -- apps/shop",
            "  gitops-interlock check --git main --kubernetes-version 1.35",
            "  gitops-interlock check old/ new/ --tool argocd",
            "  gitops-interlock check old/ new/ --sync-options ServerSideApply=true",
            "  helm template chart | gitops-interlock check old.yaml - --fix --chart chart",
            "  gitops-interlock check old/ new/ --fix",
            "  gitops-interlock check --live new/ --context prod"
        })
final class CheckCommand extends Subcommand {

    private final Path directory;

    @Mixin
    private final CheckInput input;

    @Option(
            names = "--kubernetes-version",
            paramLabel = "VERSION",
            description =
                    "Of the API server, such as 1.35: decides what differs between versions, with feature gates as"
                            + " they come. With --live it is the cluster's by default.")
    private @Nullable String kubernetesVersion;

    @Mixin
    private DeliveryOptions delivery;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    @Option(
            names = "--output-file",
            paramLabel = "FILE",
            converter = WritableFile.class,
            description = "Where to write it; the standard output else.")
    private @Nullable Path outputFile;

    @Option(
            names = "--fix",
            description = "Writes the remedies that are an annotation, of Jobs, into the manifests of TARGET, and shows"
                    + " the difference.")
    private boolean fix;

    @Option(
            names = "--chart",
            paramLabel = "FOLDER",
            description = "With --fix: the chart that TARGET was rendered from; its templates get what helps in Helm.")
    private @Nullable Path chart;

    @Option(
            names = "--baseline",
            paramLabel = "FILE",
            description = "Ignores what this file lists, which --write-baseline wrote.")
    private @Nullable Path baseline;

    @Option(
            names = "--write-baseline",
            paramLabel = "FILE",
            converter = WritableFile.class,
            description = "Lists what is found in a file, to be ignored from now on.")
    private @Nullable Path newBaseline;

    @Option(
            names = "--fail-on",
            paramLabel = "SEVERITY",
            defaultValue = "warning",
            description = "What ends with exit code 1: error, warning, note (default: ${DEFAULT-VALUE}).")
    private Severity failOn = Severity.WARNING;

    @Option(
            names = "--strict",
            description =
                    "Ends with exit code 3 where something that changed was not judged, such as what has to be rendered first.")
    private boolean strict;

    @Option(
            names = "--allow-empty",
            description = "Lets TARGET have none of the objects of BASE; else that counts as a failed rendering.")
    private boolean allowEmpty;

    @Option(
            names = "--guidance-pages",
            paramLabel = "ADDRESS",
            description = "Where the pages are, with {code} for the code; links to them are given then.")
    private @Nullable String address;

    CheckCommand(InputStream standardInput, Path directory) {
        this.directory = directory;
        this.input = new CheckInput(standardInput, directory);
    }

    @Override
    public Integer call() throws Unreadable, IOException {
        var sides = input.sides();
        var pages = PackagedPages.at(Optional.ofNullable(address));
        var appliers = delivery.appliers().in(sides.stated());
        var checking = new Checking(
                new ManifestCheck(GuardedKinds.ALL, appliers, version(), pages),
                new CustomResourceCheck(sides.definitions(), new RuleEvaluators(), appliers, pages));
        var findings = input.isLive()
                ? checking.with(
                        new LiveObjects(input.cluster(), input.namespace()),
                        sides.target().objects(),
                        sides.target().definitions())
                : checking.between(sides.base().objects(), sides.target().objects());
        if (newBaseline != null) {
            Baseline.of(findings).write(newBaseline);
        }
        if (baseline != null) {
            findings = Baseline.read(baseline).applyTo(findings);
        }
        if (fix) {
            findings = fixed(findings, sides);
        }
        var unrenderedDefinitions = sides.unrenderedDefinitions();
        var unrendered = Stream.concat(sides.target().unrendered(sides.base()).stream(), unrenderedDefinitions.stream())
                .distinct()
                .toList();
        var problems = input.problems(sides);
        problems.addAll(checking.unread());
        if (!allowEmpty) {
            problems.addAll(emptied(sides));
        }
        if (strict && input.isOfGit()) {
            sides.target().links().forEach(link -> problems.add(link + " was not judged: links are not followed"));
        }
        var unjudged = Stream.concat(input.unserved().stream(), checking.unjudged().stream());
        if (strict) {
            unjudged.forEach(problems::add);
        } else {
            unjudged.forEach(line -> Escape.printf(errors(), "%s%n", line));
        }
        write(new Report(findings, checking.objects(), unrendered, problems, pages, Interlock.Version.number()));
        if (strict) {
            unrendered.forEach(file -> problems.add(
                    file + " was not judged: render both sides (--render, or your own commands), and compare those"));
        }
        var links = sides.all(ManifestTree::links);
        if (!links.isEmpty()) {
            Escape.printf(errors(), "left out, because links are not followed: %s%n", String.join(", ", links));
        }
        unrenderedDefinitions.forEach(file -> Escape.printf(
                errors(),
                "%s may define custom resources that change: name what helm template --include-crds prints (--crds)%n",
                file));
        sides.base().malformed().stream()
                .filter(words -> !problems.contains(words))
                .forEach(words -> Escape.printf(errors(), "in BASE, so not compared: %s%n", words));
        problems.forEach(problem -> Escape.printf(errors(), "%s%n", problem));
        return problems.isEmpty() ? exitCode(findings) : ExitCode.TROUBLE;
    }

    /** What would be green because nothing is there. */
    private List<String> emptied(Sides sides) {
        var before = sides.base().objects().size();
        return sides.target().objects().isEmpty() && input.isWhole() && before > 0
                ? List.of(
                        "TARGET has no object that check knows, and BASE has %d. Did rendering TARGET fail? If all of them are to be removed, add --allow-empty"
                                .formatted(before))
                : sides.target().emptied(sides.base()).stream()
                        .map(
                                file -> file
                                        + " has no manifest any more. Did rendering it fail? If all of them are to be removed, add --allow-empty")
                        .toList();
    }

    private Optional<KubernetesVersion> version() throws Unreadable {
        if (kubernetesVersion != null) {
            var named = KubernetesVersion.of(kubernetesVersion);
            if (named.isEmpty()) {
                throw new ParameterException(
                        commandLine(),
                        "Kubernetes " + kubernetesVersion + " is not known here; name one of " + knownVersions()
                                + ", or none: what depends on the version is a warning then");
            }
            return named;
        }
        if (!input.isLive()) {
            return Optional.empty();
        }
        var running = input.cluster().version();
        var known = KubernetesVersion.of(running);
        if (known.isEmpty()) {
            Escape.printf(
                    errors(),
                    "the cluster runs Kubernetes %s, which is not known here (%s are): what depends on the version is"
                            + " a warning%n",
                    running,
                    knownVersions());
        }
        return known;
    }

    private static String knownVersions() {
        return Arrays.stream(KubernetesVersion.values())
                .map(KubernetesVersion::label)
                .collect(joining(", "));
    }

    private Findings fixed(Findings findings, Sides sides) throws Unreadable, IOException {
        if (sides.files().isEmpty() && chart == null) {
            throw new ParameterException(
                    commandLine(),
                    "--fix writes into files: let TARGET be one, name only the beginning of the range (--git main), or"
                            + " name the chart (--chart)");
        }
        var fixing = new Fixing(
                sides.files().orElse(directory),
                sides.files().isPresent(),
                chart == null ? Optional.empty() : Optional.of(ChartFolder.at(directory, chart)));
        var left = fixing.apply(findings.open());
        // a report for a program is to be nothing else
        var out = format == Format.TEXT && outputFile == null ? out() : errors();
        fixing.said().forEach(line -> Escape.printf(out, "%s%n", line));
        fixing.leftToYou(left).forEach(line -> Escape.printf(out, "%s%n", line));
        return new Findings(left, findings.ignored());
    }

    private void write(Report report) throws IOException {
        if (outputFile == null) {
            var out = out();
            format.write(report, Ansi.AUTO.enabled(), out);
            out.flush();
            return;
        }
        try (var out = new PrintWriter(Files.newBufferedWriter(outputFile, UTF_8))) {
            format.write(report, false, out);
        }
        errors().println(Escape.line(report.summary()));
    }

    private int exitCode(Findings findings) {
        return findings.open().stream().anyMatch(finding -> finding.severity().compareTo(failOn) <= 0)
                ? ExitCode.FINDINGS
                : ExitCode.NOTHING_FOUND;
    }
}
