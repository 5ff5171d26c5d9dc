package dev.gitopsinterlock.build.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The manual page of a command, made of the same words as its {@code --help}, in the macros of man(7).
 *
 * @param name of its file, without the section
 */
record ManPage(String name, String text) {

    private static final String SECTION = "1";

    /** Of a program and of all its commands. */
    static List<ManPage> of(CommandLine program, String version) {
        return Stream.concat(
                        Stream.of(program),
                        program.getSubcommands().values().stream()
                                .filter(command -> !(command.getCommand() instanceof HelpCommand)))
                .map(command -> new ManPage(name(command.getCommandSpec()), text(command.getCommandSpec(), version)))
                .toList();
    }

    String file() {
        return name + "." + SECTION;
    }

    private static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    private static String text(CommandSpec command, String version) {
        var usage = command.usageMessage();
        var description = plain(usage.description());
        var lines = new ArrayList<String>();
        lines.add(".TH %s %s \"\" \"%s\"".formatted(name(command).toUpperCase(Locale.ROOT), SECTION, escape(version)));
        lines.add(".SH NAME");
        lines.add(escape(name(command) + " - " + description.split("(?<=\\.)\\s", 2)[0].replaceFirst("\\.$", "")));
        lines.add(".SH SYNOPSIS");
        lines.addAll(asItIs(new Help(command, Help.defaultColorScheme(Ansi.OFF)).synopsis(0)));
        lines.add(".SH DESCRIPTION");
        lines.add(escape(description));
        options(command, lines);
        commands(command, lines);
        if (usage.exitCodeList().size() > 0) {
            lines.add(".SH EXIT STATUS");
            usage.exitCodeList().forEach((code, meaning) -> item(code, meaning, lines));
        }
        if (usage.footer().length > 0) {
            lines.add(".SH EXAMPLES");
            lines.addAll(asItIs(String.join("\n", usage.footer())));
        }
        return String.join("\n", lines) + "\n";
    }

    private static void options(CommandSpec command, List<String> lines) {
        lines.add(".SH OPTIONS");
        for (var each : command.positionalParameters()) {
            item(each.paramLabel(), plain(each.description()), lines);
        }
        for (var each : command.options()) {
            var value = each.arity().max() > 0 ? " " + each.paramLabel() : "";
            item(String.join(", ", each.names()) + value, plain(each.description()), lines);
        }
    }

    private static void commands(CommandSpec command, List<String> lines) {
        if (command.subcommands().isEmpty()) {
            return;
        }
        lines.add(".SH COMMANDS");
        command.subcommands()
                .forEach((name, each) ->
                        item(name, plain(each.getCommandSpec().usageMessage().description()), lines));
    }

    private static void item(String term, String meaning, List<String> lines) {
        lines.addAll(List.of(".TP", "\\fB" + escape(term) + "\\fR", escape(meaning)));
    }

    /** Unfilled, as examples and a synopsis have to stay. */
    private static List<String> asItIs(String text) {
        return Stream.of(Stream.of(".nf"), text.strip().lines().map(line -> escape(line.strip())), Stream.of(".fi"))
                .flatMap(each -> each)
                .toList();
    }

    /** Without picocli's marks for colours and lines. */
    private static String plain(String... description) {
        return Arrays.stream(description)
                .map(line -> Ansi.OFF.string(line.replace("%n", " ").replace("%%", "%")))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .reduce((all, line) -> all + " " + line)
                .orElse("")
                .replaceAll("\\s+", " ");
    }

    /** A dash that is typed, a backslash, and what would be a macro at the beginning of a line. */
    private static String escape(String text) {
        var escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
