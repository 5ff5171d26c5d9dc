package dev.gitopsinterlock.config;

import dev.gitopsinterlock.config.ConfigProblem.Severity;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/**
 * The settings with everything that was found wrong with them.
 *
 * @param settings of use only if no problem is severe
 * @param shown the words that count, as JSON for everybody: no secret is among them
 * @param problems what single settings are, by the alphabet, and then what they are together
 */
public record CheckedSettings(Settings settings, String shown, List<ConfigProblem> problems) {

    private static final Logger LOG = Logger.getLogger(CheckedSettings.class);

    public CheckedSettings {
        problems = List.copyOf(problems);
    }

    public CheckedSettings with(Optional<ConfigProblem> another) {
        return new CheckedSettings(
                settings,
                shown,
                Stream.concat(problems.stream(), another.stream()).toList());
    }

    /**
     * Logs what can be lived with; fails if anything cannot, with one line for each problem, which the start-up
     * prints as they are. Where the log is JSON, they are logged instead, so that no line is anything else.
     */
    public void orRefuseToStart() {
        if (problems.stream().anyMatch(problem -> problem.severity() == Severity.SEVERE)) {
            if (logsJson()) {
                problems.forEach(LOG::error);
                throw new IllegalStateException("gitops-interlock cannot start");
            }
            throw new ConfigurationException(problems.stream()
                    .map(ConfigProblem::toString)
                    .collect(Collectors.joining("\n", "gitops-interlock cannot start:\n", "")));
        }
        problems.forEach(LOG::warn);
    }

    private static boolean logsJson() {
        return ConfigProvider.getConfig().getValue("quarkus.log.console.json.enabled", boolean.class);
    }
}
