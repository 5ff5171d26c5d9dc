package dev.gitopsinterlock.config;

import static io.smallrye.config.ConfigMappings.ConfigClass.configClass;

import dev.gitopsinterlock.policy.CarryOutScope;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/**
 * Reads {@link InterlockConfig} and reports everything that is wrong with it at once. A setting that is wrong gets its
 * default, so that what depends on it is checked too. Quarkus would do the same with less: its lines repeat the values,
 * and it would stop before the certificate is looked at.
 */
final class SettingsReader {

    private static final Pattern PROPERTY = Pattern.compile("The config property (\\S+) ");

    private SettingsReader() {}

    static CheckedSettings read(Config config) {
        var problems = new ArrayList<ConfigProblem>();
        var typed = typed(words(config), problems);
        problems.addAll(unknown(config));
        var settings = Settings.of(typed);
        problems.addAll(halves(typed.clientCertificates()));
        settings.selfManaged().ifPresent(kept -> problems.addAll(unkept(kept, settings.certificatePoll())));
        problems.addAll(effectless(typed.jobs(), settings.levels().carryOut()));
        if (typed.statefulSets().carryOut() && !typed.jobs().carryOut()) {
            problems.add(ConfigProblem.warning(
                    property("stateful-sets.carry-out"), "has no effect without gitops-interlock.jobs.carry-out"));
        }
        return new CheckedSettings(settings, problems);
    }

    /** Those that are set, by their properties; can be changed. */
    private static Map<String, String> words(Config config) {
        var words = new TreeMap<String, String>();
        for (var property : configClass(InterlockConfig.class).getProperties().keySet()) {
            var word = config.getConfigValue(property).getValue();
            if (word != null) {
                words.put(property, word);
            }
        }
        return words;
    }

    /** A name that is misspelt would leave its setting at the default, without a word. */
    private static List<ConfigProblem> unknown(Config config) {
        var known = configClass(InterlockConfig.class).getProperties().keySet();
        return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .filter(name -> name.startsWith(InterlockConfig.PREFIX + ".") && !known.contains(name))
                .distinct()
                .sorted()
                .map(name -> ConfigProblem.severe(name, "must be the name of a setting; a list is one, with commas"))
                .toList();
    }

    /** What is wrong is noted and left out, so that its default takes its place. */
    private static InterlockConfig typed(Map<String, String> words, List<ConfigProblem> problems) {
        try {
            return typed(words);
        } catch (ConfigValidationException e) {
            IntStream.range(0, e.getProblemCount())
                    .mapToObj(i -> problem(e.getProblem(i).getMessage()))
                    .forEach(problems::add);
        }
        problems.forEach(problem -> words.remove(problem.property()));
        try {
            return typed(words);
        } catch (ConfigValidationException e) {
            // what it says could hold a value, and a value could be a secret
            throw new IllegalStateException("settings that were found good are not");
        }
    }

    private static InterlockConfig typed(Map<String, String> words) {
        return new SmallRyeConfigBuilder()
                .withMapping(InterlockConfig.class)
                .withSources(new PropertiesConfigSource(words, "settings", 100))
                .build()
                .getConfigMapping(InterlockConfig.class);
    }

    /** SmallRye says more than that, the value for example; {@link SettingConverters} say the end of it. */
    private static ConfigProblem problem(String message) {
        var property = PROPERTY.matcher(message);
        if (!property.find()) {
            throw new IllegalStateException("SmallRye Config has other words for problems than it had");
        }
        var rule = message.lastIndexOf("must be ");
        return ConfigProblem.severe(property.group(1), rule < 0 ? "must not be empty" : message.substring(rule));
    }

    /** Any CA of a cluster signs certificates of many; without names all of them would be let in. */
    private static List<ConfigProblem> halves(InterlockConfig.ClientCertificates certificates) {
        var names = certificates.names().orElse(List.of());
        if (certificates.caFile().isPresent() && names.isEmpty()) {
            return List.of(ConfigProblem.severe(
                    property("client-certificates.names"), "must not be empty, because there is a ca-file"));
        }
        if (certificates.caFile().isEmpty() && !names.isEmpty()) {
            return List.of(ConfigProblem.severe(
                    property("client-certificates.ca-file"), "must not be empty, because there are names"));
        }
        return List.of();
    }

    /** What would leave nobody the time to learn of a CA before it signs, or of a token before it is used. */
    private static List<ConfigProblem> unkept(Settings.SelfManaged kept, Duration poll) {
        var problems = new ArrayList<ConfigProblem>();
        if (kept.hosts().isEmpty()) {
            problems.add(ConfigProblem.severe(
                    property("certificate.self-managed.hosts"),
                    "must not be empty, because " + property("certificate.self-managed.secret") + " is set"));
        }
        if (kept.webhookConfigurations().isEmpty()) {
            problems.add(ConfigProblem.severe(
                    property("certificate.self-managed.webhook-configurations"),
                    "must not be empty, because " + property("certificate.self-managed.secret") + " is set"));
        }
        if (kept.duration().multipliedBy(3).compareTo(kept.caDuration()) > 0) {
            problems.add(ConfigProblem.severe(
                    property("certificate.self-managed.ca-duration"),
                    "must be at least three times " + property("certificate.self-managed.duration")));
        }
        if (poll.multipliedBy(3).compareTo(kept.overlap()) > 0) {
            problems.add(ConfigProblem.severe(
                    property("certificate.self-managed.overlap"),
                    "must be at least three times " + property("certificate.poll-interval")));
        }
        if (kept.overlap().multipliedBy(6).compareTo(kept.duration()) > 0) {
            problems.add(ConfigProblem.severe(
                    property("certificate.self-managed.duration"),
                    "must be at least six times " + property("certificate.self-managed.overlap")));
        }
        if (kept.callerToken() && kept.overlap().multipliedBy(2).compareTo(kept.callerTokenInterval()) > 0) {
            problems.add(ConfigProblem.severe(
                    property("certificate.self-managed.caller-token-interval"),
                    "must be at least twice " + property("certificate.self-managed.overlap")));
        }
        return problems;
    }

    private static List<ConfigProblem> effectless(InterlockConfig.Jobs jobs, CarryOutScope scope) {
        if (!(scope instanceof CarryOutScope.Off(var why))) {
            return List.of();
        }
        var problems = new ArrayList<ConfigProblem>();
        if (why == CarryOutScope.Why.NO_AUTHENTICATION) {
            problems.add(
                    ConfigProblem.warning(
                            property("jobs.carry-out"),
                            "has no effect, because anybody who reaches the port could have Jobs replaced in the name of others: set"
                                    + " gitops-interlock.caller-token, gitops-interlock.certificate.self-managed.secret, or"
                                    + " gitops-interlock.client-certificates.ca-file and gitops-interlock.client-certificates.names"));
        }
        if (jobs.onImmutableChange().carriesOut()) {
            problems.add(ConfigProblem.warning(
                    property("jobs.on-immutable-change"),
                    "is %s, and nothing is carried out (%s): Job edits are refused with advice"
                            .formatted(jobs.onImmutableChange().word(), why.words())));
        }
        return problems;
    }

    private static String property(String name) {
        return InterlockConfig.PREFIX + "." + name;
    }
}
