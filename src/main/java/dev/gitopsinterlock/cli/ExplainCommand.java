package dev.gitopsinterlock.cli;

import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.output.TextPage;
import dev.gitopsinterlock.config.PackagedPages;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Parameters;

/** Shows the page of a guidance code, or a topic that several lead to, so that nobody needs a browser or a network for it. */
@Command(
        name = "explain",
        description =
                "Shows what a code means and what to do, or a topic that several codes lead to; without one, lists"
                        + " them all.",
        footer = {
            "  gitops-interlock explain",
            "  gitops-interlock explain ArgoCdJobEdit",
            "  gitops-interlock explain safe to run again"
        })
final class ExplainCommand extends Subcommand {

    private static final int WIDTH = 100;

    @Parameters(
            arity = "0..*",
            paramLabel = "CODE|TOPIC",
            description = "A code, as a denial or a finding ends with it; or words of a topic's name.")
    private List<String> words = new ArrayList<>();

    ExplainCommand() {}

    @Override
    public Integer call() throws Unreadable {
        var out = out();
        if (words.isEmpty()) {
            list(out);
        } else {
            var asked = String.join(" ", words);
            out.print(page().of(code(asked).or(() -> topic(asked)).orElseThrow(() -> unknown(asked))));
        }
        return ExitCode.NOTHING_FOUND;
    }

    private TextPage page() {
        var ansi = commandLine().getColorScheme().ansi();
        // picocli asks the terminal
        var width =
                Terminal.showsOutput() ? new UsageMessageSpec().autoWidth(true).width() : WIDTH;
        return new TextPage(
                Math.min(width, WIDTH),
                text -> ansi.enabled() ? Style.bold.on() + text + Style.reset.on() : text,
                ExplainCommand::link);
    }

    private static void list(PrintWriter out) {
        var remedies = PackagedPages.withoutAddress().remedies();
        for (var each : PackagedPages.codes()) {
            out.println(each);
            var remedy = remedies.get(each);
            if (remedy != null) {
                out.println("    " + (Terminal.showsOutput() ? Wording.cut(remedy, WIDTH) : remedy));
            }
        }
        out.println();
        out.println("Warnings about what no tool reports:");
        PackagedPages.warnings().keySet().forEach(code -> out.println("    " + code));
        out.println();
        out.println("Topics:");
        PackagedPages.topics().keySet().forEach(topic -> out.println("    " + topic));
    }

    /** Of another page the command that shows it; nobody has the repository at hand. */
    private static String link(TextPage.Link link) {
        var target = link.target();
        if (target.startsWith("https://")) {
            return "%s (%s)".formatted(link.text(), target);
        }
        var hash = target.indexOf('#');
        var page = (hash < 0 ? target : target.substring(0, hash)).replaceAll("^guidance/|\\.md$", "");
        var known = page.equals("README") ? target.substring(hash + 1) : page;
        var isKnown = code(known).isPresent() || PackagedPages.topics().containsKey(known);
        return isKnown && !known.equals(link.text())
                ? "%s [%s]".formatted(link.text(), TextPage.whole("gitops-interlock explain " + known))
                : link.text();
    }

    /** Whatever the case. */
    private static Optional<String> code(String name) {
        var warnings = PackagedPages.warnings();
        return Stream.concat(PackagedPages.codes().stream(), warnings.keySet().stream())
                .filter(name::equalsIgnoreCase)
                .findFirst()
                .flatMap(code -> PackagedPages.text(code).or(() -> Optional.ofNullable(warnings.get(code))));
    }

    /** By a part of its name, which no other has. */
    private static Optional<String> topic(String name) {
        var topics = PackagedPages.topics();
        var part = PackagedPages.topic(name);
        var found =
                topics.keySet().stream().filter(topic -> topic.contains(part)).toList();
        return found.size() == 1 ? Optional.ofNullable(topics.get(found.getFirst())) : Optional.empty();
    }

    private static Unreadable unknown(String name) {
        return Unreadable.wrongUse("there is no code or topic " + name + "; gitops-interlock explain lists them all");
    }
}
