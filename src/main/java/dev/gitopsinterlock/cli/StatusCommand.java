package dev.gitopsinterlock.cli;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.cli.cluster.ClusterOptions;
import dev.gitopsinterlock.cli.cluster.ClusterReader;
import dev.gitopsinterlock.cli.cluster.InstallationOption;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.output.Escape;
import dev.gitopsinterlock.cli.status.StatusFormat;
import dev.gitopsinterlock.cli.status.StatusReader;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.status.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows on one screen what waits for somebody. */
@Command(
        name = "status",
        description = {
            "Shows what is blocked by a denial now and what to do, which rollouts are held and the command that lets them go,"
                    + " which edits of Jobs were refused or carried out in the last 24 hours, and the policies of Namespaces."
                    + " Reads only. What you may not read is said in one line.",
            ""
        },
        footer = {
            "  kubectl interlock status",
            "  gitops-interlock status --watch",
            "  gitops-interlock status --context prod -o json"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is blocked and nothing is held",
            "1:something is",
            "2:wrong use",
            "3:the cluster cannot be reached"
        })
final class StatusCommand extends Subcommand {

    private static final String HOME = "\u001b[H";
    private static final String TO_THE_END_OF_THE_LINE = "\u001b[K";
    private static final String TO_THE_END = "\u001b[J";

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = {"-w", "--watch"},
            arity = "0..1",
            paramLabel = "SECONDS",
            fallbackValue = "5",
            defaultValue = "0",
            description = "Looks again every so many seconds (${FALLBACK-VALUE} without a number), until Ctrl-C.")
    private int seconds;

    @Mixin
    private InstallationOption installation;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text, json (default: ${DEFAULT-VALUE}).")
    private StatusFormat format = StatusFormat.TEXT;

    private final GuidancePages pages = PackagedPages.withoutAddress();

    StatusCommand() {}

    @Override
    public Integer call() throws Unreadable {
        var reader = cluster.reader();
        if (seconds > 0) {
            return watch(reader);
        }
        var status = read(reader);
        format.write(status, pages, Terminal.showsOutput(), out());
        return status.needsSomebody() ? ExitCode.FINDINGS : ExitCode.NOTHING_FOUND;
    }

    private Status read(ClusterReader reader) throws Unreadable {
        return StatusReader.read(reader, installation.namespace(), pages, Instant.now());
    }

    /** Until somebody ends the program. */
    private int watch(ClusterReader reader) throws Unreadable {
        var out = out();
        // Ctrl-C ends kubectl, too, and nobody wants to read of that
        Runtime.getRuntime().addShutdownHook(new Thread(Thread.currentThread()::interrupt));
        var isScreen = Terminal.showsOutput() && format == StatusFormat.TEXT;
        if (isScreen) {
            out.print(HOME + TO_THE_END);
        }
        while (!Thread.currentThread().isInterrupted()) {
            var text = look(reader);
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
            out.print(isScreen ? redrawn(text) : text + System.lineSeparator());
            out.flush();
            pause();
        }
        return ExitCode.NOTHING_FOUND;
    }

    /** A cluster that does not answer for a while is waited for. */
    private String look(ClusterReader reader) throws Unreadable {
        var text = new StringWriter();
        try {
            format.write(read(reader), pages, Terminal.showsOutput(), new PrintWriter(text));
        } catch (Unreadable e) {
            if (e.isWrongUse()) {
                throw e;
            }
            text.append("The cluster cannot be read: ")
                    .append(Escape.lines(String.valueOf(e.getMessage())))
                    .append(System.lineSeparator());
        }
        return text.toString();
    }

    /** Over what is there, so that nothing flickers. */
    private static String redrawn(String text) {
        return HOME
                + text.replace(System.lineSeparator(), TO_THE_END_OF_THE_LINE + System.lineSeparator())
                + TO_THE_END;
    }

    private void pause() {
        try {
            Thread.sleep(Duration.ofSeconds(seconds));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
