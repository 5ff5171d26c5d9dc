package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/** The program: {@code gitops-interlock}, and {@code kubectl interlock} where its file has that name. */
@Command(
        name = Interlock.NAME,
        description = {
            "Kubernetes refuses edits of fields that cannot change, of Jobs above all. This program says before a merge which"
                    + " will be refused; in a cluster, what is blocked or held, and whether the webhook works; and what helps.",
            ""
        },
        mixinStandardHelpOptions = true,
        versionProvider = Interlock.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  gitops-interlock check --git main..HEAD",
            "  gitops-interlock scan -n shop",
            "  gitops-interlock doctor",
            "  gitops-interlock status",
            "  gitops-interlock explain ArgoCdJobEdit"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:nothing was found", "1:something was found", "2:wrong use", "3:something cannot be read"},
        subcommands = {
            CheckCommand.class,
            ScanCommand.class,
            DoctorCommand.class,
            StatusCommand.class,
            DashboardCommand.class,
            ExplainCommand.class,
            GenerateCompletion.class,
            HelpCommand.class
        })
public final class Interlock {

    static final String NAME = "gitops-interlock";

    private static final String PLUGIN = "kubectl-interlock";

    private Interlock() {}

    /** Starts it. */
    public static void main(String[] arguments) {
        var out = writer(FileDescriptor.out);
        var errors = writer(FileDescriptor.err);
        // the kernel puts a script's own path before what it is called with
        var isScript = Boolean.getBoolean("interlock.script");
        var called = isScript ? fileName(arguments[0]) : System.getProperty("interlock.program", NAME);
        var code = ExitCode.TROUBLE;
        try {
            code = commandLine(System.in, Path.of(""), called, out, errors)
                    .execute(isScript ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments);
        } catch (StackOverflowError | OutOfMemoryError e) {
            errors.println("something in the input is nested deeper, or longer, than can be read");
        }
        out.flush();
        errors.flush();
        System.exit(code);
    }

    /** The program as it is called, for those who describe it. */
    public static CommandLine commandLine() {
        return commandLine(System.in, Path.of(""), NAME, writer(FileDescriptor.out), writer(FileDescriptor.err));
    }

    /**
     * The program, to be run in a process or in a test.
     *
     * @param directory that relative names are relative to for Git
     * @param called the name of its file
     */
    static CommandLine commandLine(InputStream in, Path directory, String called, PrintWriter out, PrintWriter errors) {
        var line = new CommandLine(new Interlock(), new Commands(in, directory))
                .setCommandName(called.equals(PLUGIN) ? "kubectl interlock" : NAME)
                .setOut(out)
                .setErr(errors)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(Interlock::wrongUse)
                .setExecutionExceptionHandler((problem, command, result) -> trouble(problem, command));
        return line;
    }

    private static int wrongUse(ParameterException problem, String... arguments) {
        var command = problem.getCommandLine();
        command.getErr()
                .println(command.getColorScheme().errorText(Escape.lines(String.valueOf(problem.getMessage()))));
        CommandLine.UnmatchedArgumentException.printSuggestions(problem, command.getErr());
        command.getErr().println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.WRONG_USE;
    }

    private static int trouble(Exception problem, CommandLine command) {
        command.getErr().println(command.getColorScheme().errorText(Escape.lines(words(problem))));
        return problem instanceof Unreadable unreadable && unreadable.isWrongUse()
                ? ExitCode.WRONG_USE
                : ExitCode.TROUBLE;
    }

    private static String words(Exception problem) {
        return problem instanceof Unreadable ? String.valueOf(problem.getMessage()) : "unexpected: " + problem;
    }

    private static String fileName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new PrintStream(new FileOutputStream(descriptor), false, UTF_8), false, UTF_8);
    }

    /** Makes each command with what it needs. */
    private record Commands(InputStream in, Path directory) implements CommandLine.IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            if (type == CheckCommand.class) {
                return type.cast(new CheckCommand(in, directory));
            }
            return CommandLine.defaultFactory().create(type);
        }
    }

    /** What the build wrote down. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() throws IOException {
            return new String[] {NAME + " " + number()};
        }

        static String number() throws IOException {
            var properties = new Properties();
            try (var file = Interlock.class.getResourceAsStream("/gitops-interlock.properties")) {
                if (file != null) {
                    properties.load(file);
                }
            }
            return properties.getProperty("version", "unknown");
        }
    }
}
