package dev.gitopsinterlock.config;

import dev.gitopsinterlock.certificate.PairFiles;
import dev.gitopsinterlock.certificate.PairReading;
import dev.gitopsinterlock.certificate.PairReading.OutOfTime;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import dev.gitopsinterlock.config.ConfigProblem.Severity;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * Makes the settings, once. The first to need them is the server's certificate, before the port opens: so a severe
 * problem stops the start, with every problem listed.
 */
public final class StartupChecks {

    private static final Logger LOG = Logger.getLogger(StartupChecks.class);

    /** Fails with one line a problem, which the start-up prints as they are. */
    @Produces
    @Singleton
    Settings settings(InterlockConfig config, Vertx vertx) {
        var result = SettingsReader.read(config);
        var problems = new ArrayList<>(result.problems());
        certificateProblem(new PairFiles(result.settings().certificates(), Clock.systemUTC(), vertx).read())
                .ifPresent(problems::add);
        if (problems.stream().anyMatch(problem -> problem.severity() == Severity.SEVERE)) {
            throw new ConfigurationException(problems.stream()
                    .map(ConfigProblem::toString)
                    .collect(Collectors.joining("\n", "gitops-interlock cannot start:\n", "")));
        }
        problems.forEach(LOG::warn);
        return result.settings();
    }

    /** A pair that fits together is better than none, even out of its time: it heals without a restart. */
    private static Optional<ConfigProblem> certificateProblem(PairReading reading) {
        var property = InterlockConfig.PREFIX + ".certificate.directory";
        return switch (reading) {
            case Usable usable -> Optional.empty();
            case OutOfTime(var pair, var reason, var detail) ->
                Optional.of(ConfigProblem.warning(property, detail + "; it is served until a better one is there"));
            case Unusable(var reason, var detail) -> Optional.of(ConfigProblem.severe(property, detail));
        };
    }
}
