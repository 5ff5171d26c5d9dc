package dev.gitopsinterlock.cli;

import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.config.PackagedPages;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows the page of a guidance code, so that nobody needs a browser or a network for it. */
@Command(
        name = "explain",
        description = "Shows what a code means and what to do; without a code, lists them all.",
        mixinStandardHelpOptions = true,
        footerHeading = "%nExamples:%n",
        footer = {"  gitops-interlock explain", "  gitops-interlock explain ArgoCdJobEdit"})
final class ExplainCommand implements Callable<Integer> {

    private static final int WIDTH = 110;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "CODE", description = "A code, as a denial or a finding ends with it.")
    private @Nullable String code;

    ExplainCommand() {}

    @Override
    public Integer call() throws Unreadable {
        var out = spec.commandLine().getOut();
        var asked = code;
        if (asked == null) {
            list(out);
        } else {
            out.print(PackagedPages.text(canonical(asked)).orElseThrow(() -> unknown(asked)));
        }
        return ExitCode.NOTHING_FOUND;
    }

    private static void list(PrintWriter out) {
        var remedies = PackagedPages.withoutAddress().remedies();
        for (var each : PackagedPages.codes()) {
            out.println(each);
            var remedy = remedies.get(each);
            if (remedy != null) {
                out.println("    " + Wording.cut(remedy, WIDTH));
            }
        }
    }

    /** Whatever the case. */
    private static String canonical(String code) {
        return PackagedPages.codes().stream()
                .filter(code::equalsIgnoreCase)
                .findFirst()
                .orElse(code);
    }

    private static Unreadable unknown(String code) {
        return Unreadable.wrongUse("there is no code " + code + "; gitops-interlock explain lists them all");
    }
}
