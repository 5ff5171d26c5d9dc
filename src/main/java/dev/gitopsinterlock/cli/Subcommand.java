package dev.gitopsinterlock.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all subcommands have: help, examples, and where they write. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, footerHeading = "%nExamples:%n")
abstract class Subcommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    final CommandLine commandLine() {
        return spec.commandLine();
    }

    final PrintWriter out() {
        return commandLine().getOut();
    }

    final PrintWriter errors() {
        return commandLine().getErr();
    }
}
