package dev.gitopsinterlock.config;

import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.config.Settings.CarryOutAs;
import dev.gitopsinterlock.job.CarryOutScope;
import dev.gitopsinterlock.job.JobPolicy;
import dev.gitopsinterlock.job.JobSettings;
import dev.gitopsinterlock.machineconfig.GatePolicy;
import dev.gitopsinterlock.policy.PolicySetting;
import dev.gitopsinterlock.policy.PolicyValue;
import dev.gitopsinterlock.policy.SyncHold;
import io.quarkus.runtime.configuration.DurationConverter;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Gives the settings their types. Every problem is collected with the name of its property; a setting that is wrong
 * gets its default, so that the ones after it are checked too.
 */
final class SettingsReader {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration LONGEST_SETTLE = Duration.ofSeconds(5);
    private static final int LONGEST_PAGES = 80;

    private final List<ConfigProblem> problems = new ArrayList<>();

    private SettingsReader() {}

    static CheckedSettings read(InterlockConfig config) {
        var reader = new SettingsReader();
        var authentication = reader.authentication(config);
        var settings = new Settings(
                reader.levels(config.jobs(), authentication.isConfigured()),
                new Settings.Effects(
                        reader.settle(config.jobs().replaceSettle()),
                        reader.duration(
                                "jobs.after-care-interval", config.jobs().afterCareInterval(), Duration.ofMinutes(1)),
                        reader.positive("jobs.concurrent-effects", config.jobs().concurrentEffects(), 10),
                        reader.carryOutAs(config.jobs().carryOutAs())),
                reader.gate(config.machineConfigs(), config.argoCd()),
                authentication,
                reader.path("certificate.directory", config.certificate().directory()),
                reader.duration(
                        "certificate.poll-interval", config.certificate().pollInterval(), Duration.ofSeconds(10)),
                reader.duration("limits.body-deadline", config.limits().bodyDeadline(), Duration.ofSeconds(10)),
                GuidancePages.text(reader.pages(config.guidance().pages())));
        return new CheckedSettings(settings, reader.problems);
    }

    private Settings.Authentication authentication(InterlockConfig config) {
        return new Settings.Authentication(
                Stream.concat(
                                token("caller-token", config.callerToken()),
                                token("additional-caller-token", config.additionalCallerToken()))
                        .toList(),
                callers(config.clientCertificates()));
    }

    /** The secret itself is never told, not even a wrong one. */
    private Stream<String> token(String name, Optional<String> token) {
        return token
                .filter(secret -> secret.matches("[a-z0-9]{20,253}")
                        || wrong(name, "must be at least 20 lowercase letters and digits", false))
                .stream();
    }

    private JobPolicy.Levels levels(InterlockConfig.Jobs jobs, boolean isAuthenticated) {
        var policy = policy(jobs);
        var carryOut = carryOut(jobs, isAuthenticated);
        if (carryOut instanceof CarryOutScope.Off(var why)
                && policy.onImmutableChange().carriesOut()) {
            problems.add(ConfigProblem.warning(
                    InterlockConfig.PREFIX + ".jobs.on-immutable-change",
                    "is %s, and nothing is carried out (%s): Job edits are refused with advice"
                            .formatted(policy.onImmutableChange().word(), why.words())));
        }
        return new JobPolicy.Levels(
                policy,
                bool("jobs.allow-overrides", jobs.allowOverrides(), true),
                carryOut,
                Stream.concat(
                                Stream.of("kube-system"),
                                namespaces("jobs.exempt-namespaces", jobs.exemptNamespaces()).stream())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** There is no switch by which everybody is trusted. */
    private CarryOutScope carryOut(InterlockConfig.Jobs jobs, boolean isAuthenticated) {
        var isOn = bool("jobs.carry-out", jobs.carryOut(), false);
        var on = new CarryOutScope.On(
                bool("jobs.job-overrides", jobs.jobOverrides(), false),
                Set.copyOf(namespaces(
                        "jobs.carry-out-namespaces", jobs.carryOutNamespaces().orElse(List.of()))));
        if (isOn && !isAuthenticated) {
            problems.add(ConfigProblem.warning(
                    InterlockConfig.PREFIX + ".jobs.carry-out",
                    "has no effect, because anybody who reaches the port could have Jobs replaced in the name of others: set"
                            + " gitops-interlock.caller-token, or gitops-interlock.client-certificates.ca-file and"
                            + " gitops-interlock.client-certificates.names"));
            return new CarryOutScope.Off(CarryOutScope.Why.NO_AUTHENTICATION);
        }
        return isOn ? on : new CarryOutScope.Off(CarryOutScope.Why.SWITCHED_OFF);
    }

    private CarryOutAs carryOutAs(String word) {
        return PolicyValue.parse(CarryOutAs.values(), word)
                .orElseGet(() -> wrong(
                        "jobs.carry-out-as",
                        "is none of " + String.join(", ", PolicyValue.words(CarryOutAs.values())),
                        CarryOutAs.AUTO));
    }

    private List<String> namespaces(String name, List<String> namespaces) {
        return namespaces.stream().allMatch(namespace -> namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"))
                ? namespaces
                : wrong(name, "is no list of Namespaces with commas between them", List.of());
    }

    /** Any CA of a cluster signs certificates of many; without names all of them would be let in. */
    private Optional<Settings.Callers> callers(InterlockConfig.ClientCertificates certificates) {
        var names = certificates.names().orElse(List.of());
        if (certificates.caFile().isPresent() && names.isEmpty()) {
            wrong("client-certificates.names", "is empty: name whom to let in", names);
        } else if (certificates.caFile().isEmpty() && !names.isEmpty()) {
            wrong("client-certificates.ca-file", "is empty, although names are given", names);
        }
        return certificates
                .caFile()
                .map(file -> new Settings.Callers(path("client-certificates.ca-file", file), names));
    }

    private GatePolicy gate(InterlockConfig.MachineConfigs configs, InterlockConfig.ArgoCd argoCd) {
        return new GatePolicy(
                value("machine-configs.sync-hold", SyncHold.SETTING, configs.syncHold(), SyncHold.ENABLED),
                controller(configs.controller()),
                duration("machine-configs.max-hold", configs.maxHold(), Duration.ofMinutes(20)),
                duration(
                        "machine-configs.max-hold-required-pools",
                        configs.maxHoldRequiredPools(),
                        Duration.ofMinutes(10)),
                new SyncScope(
                        names("argo-cd.namespaces", argoCd.namespaces()),
                        names("argo-cd.projects", argoCd.projects()),
                        duration("machine-configs.max-sync-age", configs.maxSyncAge(), Duration.ofHours(1), DAY)));
    }

    private String controller(String user) {
        return user.matches("system:serviceaccount:[a-z0-9-]+:[a-z0-9.-]+")
                ? user
                : wrong(
                        "machine-configs.controller",
                        "is no service account's name, such as"
                                + " system:serviceaccount:openshift-machine-config-operator:machine-config-controller",
                        "system:serviceaccount:none:none");
    }

    private List<String> names(String name, List<String> patterns) {
        return patterns.stream().allMatch(pattern -> pattern.matches("[a-z0-9.*-]+"))
                ? patterns
                : wrong(
                        name,
                        "is no list of names with commas between them, in which * stands for anything",
                        List.of());
    }

    private JobPolicy.Values policy(InterlockConfig.Jobs jobs) {
        var otherwise = JobPolicy.Values.DEFAULT;
        return new JobPolicy.Values(
                value(
                        "jobs.on-immutable-change",
                        JobSettings.ON_IMMUTABLE_CHANGE,
                        jobs.onImmutableChange(),
                        otherwise.onImmutableChange()),
                value("jobs.when-active", JobSettings.WHEN_ACTIVE, jobs.whenActive(), otherwise.whenActive()),
                jobs.ttlSecondsAfterFinished()
                        .map(text -> value(
                                "jobs.ttl-seconds-after-finished", JobSettings.TTL_SECONDS_AFTER_FINISHED, text, 0)),
                value("jobs.generate-name", JobSettings.GENERATE_NAME, jobs.generateName(), false));
    }

    private <T> T value(String name, PolicySetting<T> setting, String text, T otherwise) {
        return setting.parse(text)
                .orElseGet(() -> wrong(name, "is none of " + String.join(", ", setting.allowed()), otherwise));
    }

    private boolean bool(String name, String word, boolean otherwise) {
        var known = Optional.ofNullable(Map.of("true", true, "false", false).get(word));
        return known.orElseGet(() -> wrong(name, "is neither true nor false", otherwise));
    }

    private Duration duration(String name, String text, Duration otherwise) {
        return duration(name, text, otherwise, LONGEST);
    }

    private Duration duration(String name, String text, Duration otherwise, Duration longest) {
        try {
            var duration = DurationConverter.parseDuration(text);
            if (duration != null && duration.compareTo(SHORTEST) >= 0 && duration.compareTo(longest) <= 0) {
                return duration;
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            // said below, together with the durations that are out of range
        }
        return wrong(name, "is no duration between 1 ms and %d h, such as 10s".formatted(longest.toHours()), otherwise);
    }

    /** A call has ten seconds, and the creation needs some of them. */
    private Duration settle(String text) {
        var name = "jobs.replace-settle";
        var otherwise = Duration.ofMillis(500);
        var settle = duration(name, text, otherwise);
        return settle.compareTo(LONGEST_SETTLE) <= 0 ? settle : wrong(name, "is longer than 5s", otherwise);
    }

    private int positive(String name, String text, int otherwise) {
        if (text.matches("[1-9][0-9]{0,3}")) {
            return Integer.parseInt(text);
        }
        return wrong(name, "is no number between 1 and 9999", otherwise);
    }

    private String pages(String text) {
        try {
            var scheme = URI.create(text).getScheme();
            if (List.of("https", "http").contains(String.valueOf(scheme)) && text.length() <= LONGEST_PAGES) {
                return text.endsWith("/") ? text : text + "/";
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        return wrong(
                "guidance.pages",
                "is no http or https address of at most %d characters".formatted(LONGEST_PAGES),
                "https://gitops-interlock.dev/guidance/");
    }

    private Path path(String name, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return wrong(name, "is no path", Path.of("/"));
        }
    }

    private <T> T wrong(String name, String message, T otherwise) {
        problems.add(ConfigProblem.severe(InterlockConfig.PREFIX + "." + name, message));
        return otherwise;
    }
}
