package dev.gitopsinterlock.cli;

import dev.gitopsinterlock.check.Appliers;
import dev.gitopsinterlock.tool.Tool;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say how the manifests reach the cluster. */
final class DeliveryOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--tool",
            paramLabel = "TOOL",
            completionCandidates = Tools.class,
            description = "What applies the manifests: ${COMPLETION-CANDIDATES}. By default each manifest's own marks"
                    + " tell, then Applications, Kustomizations and the like of the repository.")
    private @Nullable String tool;

    @Option(
            names = "--sync-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description =
                    "Of the Argo CD Application, if it is not in the repository: ServerSideApply=true,Replace=true")
    private String syncOptions = "";

    DeliveryOptions() {}

    /** What {@code --tool} takes. */
    static final class Tools implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Tool.deployers().stream().map(Tool::label).iterator();
        }
    }

    /** By what was named. */
    Appliers appliers() {
        return Appliers.named(tool(), syncOptions);
    }

    /** The one that was named; wrong use where there is no such tool. */
    private Optional<Tool> tool() {
        if (tool == null) {
            return Optional.empty();
        }
        var named = Tool.deployers().stream()
                .filter(known -> known.label().equals(tool))
                .findFirst();
        if (named.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "there is no tool " + tool + "; these are: " + String.join(", ", new Tools()));
        }
        return named;
    }
}
