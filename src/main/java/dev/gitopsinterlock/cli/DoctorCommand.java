package dev.gitopsinterlock.cli;

import dev.gitopsinterlock.cli.cluster.ClusterOptions;
import dev.gitopsinterlock.cli.cluster.InstallationOption;
import dev.gitopsinterlock.cli.doctor.Doctor;
import dev.gitopsinterlock.cli.doctor.DoctorFormat;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.Check;
import dev.gitopsinterlock.doctor.CheckResult;
import dev.gitopsinterlock.doctor.Diagnosis;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Says from the outside whether an installation works. */
@Command(
        name = "doctor",
        description = {
            "Says whether gitops-interlock works in a cluster, what is wrong, and the command that fixes it. Reads only, and"
                    + " edits one Job by a dry run, which is never stored. Where you lack a right for a check, it says which.",
            ""
        },
        footer = {
            "  kubectl interlock doctor",
            "  gitops-interlock doctor --skip fail-open --canary-namespace shop",
            "  gitops-interlock doctor --context prod -o json",
            "  gitops-interlock doctor --only canary --canary-namespace shop"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is wrong with what could be checked",
            "1:something is wrong",
            "2:wrong use",
            "3:the cluster cannot be reached, or nothing could be checked"
        })
final class DoctorCommand extends Subcommand {

    private static final Duration BETWEEN = Duration.ofSeconds(1);

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = "--only",
            paramLabel = "CHECK",
            split = ",",
            completionCandidates = Checks.class,
            description = "Only these checks, by commas or by several options: ${COMPLETION-CANDIDATES}.")
    private List<String> only = new ArrayList<>();

    @Option(names = "--skip", paramLabel = "CHECK", split = ",", description = "All checks but these.")
    private List<String> skipped = new ArrayList<>();

    @Mixin
    private InstallationOption installation;

    @Option(
            names = "--canary-namespace",
            paramLabel = "NAME",
            description = "Makes the Job that is edited there, suspended so that it never starts a Pod, and deletes it"
                    + " again. By default a Job that is there is taken. Choose a Namespace that is not exempt.")
    private @Nullable String canaryNamespace;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Looks again while something is wrong, for so long at most: after an installation.")
    private long seconds;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text, json (default: ${DEFAULT-VALUE}).")
    private DoctorFormat format = DoctorFormat.TEXT;

    DoctorCommand() {}

    /** What {@code --only} takes. */
    static final class Checks implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Check.values()).map(Check::label).iterator();
        }
    }

    @Override
    public Integer call() throws Unreadable, IOException, InterruptedException {
        var doctor = new Doctor(cluster.server(), Interlock.Version.number());
        var checks = chosen();
        var end = Instant.now().plusSeconds(seconds);
        var diagnoses = diagnose(doctor, checks);
        while (isWrong(diagnoses) && Instant.now().isBefore(end)) {
            Thread.sleep(BETWEEN);
            diagnoses = diagnose(doctor, checks);
        }
        format.write(diagnoses, out());
        return exitCode(diagnoses);
    }

    private List<Diagnosis> diagnose(Doctor doctor, Set<Check> checks) throws Unreadable {
        return doctor.diagnose(checks, installation.namespace(), Optional.ofNullable(canaryNamespace), Instant.now());
    }

    private static boolean isWrong(List<Diagnosis> diagnoses) {
        return diagnoses.stream().anyMatch(diagnosis -> diagnosis.verdict() == CheckResult.PROBLEM);
    }

    private Set<Check> chosen() {
        var chosen = only.isEmpty() ? EnumSet.allOf(Check.class) : named(only);
        chosen.removeAll(named(skipped));
        return chosen;
    }

    private EnumSet<Check> named(List<String> labels) {
        var named = EnumSet.noneOf(Check.class);
        for (var label : labels) {
            named.add(Check.named(label)
                    .orElseThrow(() -> new ParameterException(
                            commandLine(),
                            "there is no check %s; these are: %s".formatted(label, String.join(", ", new Checks())))));
        }
        return named;
    }

    /** Where nothing at all could be looked at, nobody may take that for good. */
    private static int exitCode(List<Diagnosis> diagnoses) {
        if (isWrong(diagnoses)) {
            return ExitCode.FINDINGS;
        }
        return diagnoses.stream().allMatch(diagnosis -> diagnosis.verdict() == CheckResult.UNKNOWN)
                ? ExitCode.TROUBLE
                : ExitCode.NOTHING_FOUND;
    }
}
