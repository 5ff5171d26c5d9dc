package dev.gitopsinterlock.config;

import static dev.gitopsinterlock.config.InterlockConfig.*;

import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.ReplacementScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.eclipse.microprofile.config.Config;

/**
 * Reads the settings and reports everything that is wrong with them at once. A setting that is wrong gets its default, so
 * that what depends on it is checked too.
 */
final class SettingsReader {

    private SettingsReader() {}

    static CheckedSettings read(Config config) {
        var words = words(config);
        var problems = new ArrayList<ConfigProblem>();
        for (var setting : InterlockConfig.ALL) {
            if (!setting.type().accepts(words.getOrDefault(setting.name(), setting.byDefault()))) {
                problems.add(
                        ConfigProblem.severe(setting.property(), setting.type().rule()));
            }
        }
        problems.sort(Comparator.comparing(ConfigProblem::property));
        problems.addAll(unknown(config));
        var settings = Settings.of(words);
        problems.addAll(halves(words));
        problems.addAll(unkept(words));
        problems.addAll(effectless(settings.levels()));
        if (REPLACEMENT_STATEFUL_SETS.in(words) && !REPLACEMENT_ENABLED.in(words)) {
            problems.add(ConfigProblem.warning(
                    REPLACEMENT_STATEFUL_SETS.property(), "has no effect without " + REPLACEMENT_ENABLED.property()));
        }
        return new CheckedSettings(settings, EffectiveSettings.shown(words).toPrettyString(), problems);
    }

    /** The values that are set, by the names of their settings. */
    private static Map<String, String> words(Config config) {
        var words = new HashMap<String, String>();
        for (var setting : InterlockConfig.ALL) {
            var word = config.getConfigValue(setting.property()).getValue();
            if (word != null) {
                words.put(setting.name(), word);
            }
        }
        return words;
    }

    /** A name that is misspelt would leave its setting at the default, without a word. */
    private static List<ConfigProblem> unknown(Config config) {
        var known = InterlockConfig.ALL.stream().map(Setting::property).collect(Collectors.toSet());
        return StreamSupport.stream(config.getPropertyNames().spliterator(), false)
                .filter(name -> name.startsWith(Setting.PREFIX) && !known.contains(name))
                .distinct()
                .sorted()
                .map(name -> ConfigProblem.severe(
                        name,
                        Optional.ofNullable(InterlockConfig.FORMER.get(name.substring(Setting.PREFIX.length())))
                                .map(now -> "has another name now: set " + now.property())
                                .orElse("must be the name of a setting; a list is one, with commas")))
                .toList();
    }

    /** Any CA of a cluster signs certificates of many; without names all of them would be let in. */
    private static List<ConfigProblem> halves(Map<String, String> words) {
        var file = CLIENT_CERTIFICATES_CA_FILE;
        var names = CLIENT_CERTIFICATES_NAMES;
        var hasNames = !names.in(words).isEmpty();
        if (file.in(words).isPresent() == hasNames) {
            return List.of();
        }
        return List.of(
                hasNames
                        ? ConfigProblem.severe(file.property(), "must not be empty, because there are names")
                        : ConfigProblem.severe(names.property(), "must not be empty, because there is a ca-file"));
    }

    /** What would leave nobody the time to learn of a CA before it signs, or of a token before it is used. */
    private static List<ConfigProblem> unkept(Map<String, String> words) {
        if (CERTIFICATE_SELF_MANAGED_SECRET.in(words).isEmpty()) {
            return List.of();
        }
        var problems = new ArrayList<ConfigProblem>();
        for (var needed : List.of(CERTIFICATE_SELF_MANAGED_HOSTS, CERTIFICATE_SELF_MANAGED_WEBHOOK_CONFIGURATIONS)) {
            // a hub can do without webhooks
            var isDispensable = needed.equals(CERTIFICATE_SELF_MANAGED_WEBHOOK_CONFIGURATIONS)
                    && HUB_DIRECTORY.in(words).isPresent();
            if (needed.in(words).isEmpty() && !isDispensable) {
                problems.add(ConfigProblem.severe(
                        needed.property(),
                        "must not be empty, because " + CERTIFICATE_SELF_MANAGED_SECRET.property() + " is set"));
            }
        }
        var duration = CERTIFICATE_SELF_MANAGED_DURATION;
        var overlap = CERTIFICATE_SELF_MANAGED_OVERLAP;
        tooShort(words, CERTIFICATE_SELF_MANAGED_CA_DURATION, 3, "three times", duration)
                .ifPresent(problems::add);
        tooShort(words, overlap, 3, "three times", CERTIFICATE_POLL_INTERVAL).ifPresent(problems::add);
        tooShort(words, duration, 6, "six times", overlap).ifPresent(problems::add);
        if (CERTIFICATE_SELF_MANAGED_CALLER_TOKEN.in(words)) {
            tooShort(words, CERTIFICATE_SELF_MANAGED_CALLER_TOKEN_INTERVAL, 2, "twice", overlap)
                    .ifPresent(problems::add);
        }
        return problems;
    }

    private static Optional<ConfigProblem> tooShort(
            Map<String, String> words,
            Setting<Duration> what,
            int times,
            String timesInWords,
            Setting<Duration> other) {
        return what.in(words).compareTo(other.in(words).multipliedBy(times)) >= 0
                ? Optional.empty()
                : Optional.of(ConfigProblem.severe(
                        what.property(), "must be at least %s %s".formatted(timesInWords, other.property())));
    }

    private static List<ConfigProblem> effectless(Policy.Levels levels) {
        if (!(levels.replacement() instanceof ReplacementScope.Off(var why))) {
            return List.of();
        }
        var problems = new ArrayList<ConfigProblem>();
        if (why == ReplacementScope.Why.NO_AUTHENTICATION) {
            problems.add(
                    ConfigProblem.warning(
                            REPLACEMENT_ENABLED.property(),
                            "has no effect, because anybody who reaches the port could have Jobs replaced in the name of others: set"
                                    + " gitops-interlock.caller-token, gitops-interlock.certificate.self-managed.secret, or"
                                    + " gitops-interlock.client-certificates.ca-file and gitops-interlock.client-certificates.names"));
        }
        var policy = levels.cluster().onImmutableChange();
        if (policy.hasEffect()) {
            problems.add(ConfigProblem.warning(
                    JOBS_ON_IMMUTABLE_CHANGE.property(),
                    "is %s, and nothing is carried out (%s): Job edits are refused with advice"
                            .formatted(policy.configValue(), why.words())));
        }
        return problems;
    }
}
