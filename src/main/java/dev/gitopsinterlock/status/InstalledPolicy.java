package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.policy.CarryOutScope;
import dev.gitopsinterlock.policy.DeployedSettings;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.PolicySetting;
import dev.gitopsinterlock.policy.PolicySettings;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings of the service in a cluster, as far as rules need them that are asked from outside.
 *
 * @param isKnown false where nothing tells, so that defaults are assumed
 * @param levels the policy for Jobs
 * @param gate how long rollouts wait, and for what
 * @param holdsForKustomizations whether rollouts wait for Flux, too
 * @param restartMakers user names of those whose rollouts can wait
 */
public record InstalledPolicy(
        boolean isKnown,
        Policy.Levels levels,
        GatePolicy gate,
        boolean holdsForKustomizations,
        Map<KnownMaker, String> restartMakers) {

    public InstalledPolicy {
        restartMakers = Map.copyOf(restartMakers);
    }

    private static final Pattern DURATION = Pattern.compile("([0-9]+)(ms|s|m|h|d)?");

    /** Defaults; but what a Namespace asks for may well be switched on. */
    public static final InstalledPolicy UNKNOWN = new Settings(
                    Map.of("JOBS_CARRY_OUT", "true", "JOBS_JOB_OVERRIDES", "true", "CALLER_TOKEN", ""))
            .policy(false);

    /** Where nothing is installed, nothing is held. */
    public static final InstalledPolicy NONE =
            new Settings(Map.of("MACHINE_CONFIGS_SYNC_HOLD", SyncHold.DISABLED.word())).policy(false);

    /** As its Deployment tells. What is not written there as a plain value has its default, as in the service. */
    public static InstalledPolicy of(JsonNode deployment) {
        return new Settings(DeployedSettings.of(deployment).words()).policy(true);
    }

    /**
     * Settings by the ends of their variables' names.
     *
     * @param words as they are written; empty for one that is in a Secret
     */
    private record Settings(Map<String, String> words) {

        InstalledPolicy policy(boolean isKnown) {
            return new InstalledPolicy(
                    isKnown, levels(), gate(), is("MACHINE_CONFIGS_HOLD_FOR_KUSTOMIZATIONS", false), restartMakers());
        }

        private Map<KnownMaker, String> restartMakers() {
            var users = new EnumMap<KnownMaker, String>(KnownMaker.class);
            users.put(KnownMaker.MACHINE_CONFIG_CONTROLLER, text("MACHINE_CONFIGS_CONTROLLER", CONTROLLER));
            word("UPGRADE_PLANS_CONTROLLER").ifPresent(user -> users.put(KnownMaker.UPGRADE_CONTROLLER, user));
            return users;
        }

        private static final String CONTROLLER =
                "system:serviceaccount:openshift-machine-config-operator:machine-config-controller";

        private Policy.Levels levels() {
            var defaults = Policy.Values.DEFAULT;
            var exempt = new HashSet<>(list("JOBS_EXEMPT_NAMESPACES", "kube-system,gitops-interlock"));
            exempt.add("kube-system");
            return new Policy.Levels(
                    new Policy.Values(
                            of(
                                    "JOBS_ON_IMMUTABLE_CHANGE",
                                    PolicySettings.ON_IMMUTABLE_CHANGE,
                                    defaults.onImmutableChange()),
                            of("JOBS_WHEN_ACTIVE", PolicySettings.WHEN_ACTIVE, defaults.whenActive()),
                            word("JOBS_TTL_SECONDS_AFTER_FINISHED")
                                    .flatMap(PolicySettings.TTL_SECONDS_AFTER_FINISHED::parse),
                            is("JOBS_GENERATE_NAME", defaults.generateName()),
                            of("JOBS_HOLD_RESTARTS", PolicySettings.HOLD_RESTARTS, defaults.holdRestarts()),
                            is("JOBS_DO_NOT_DISRUPT", defaults.doNotDisrupt())),
                    is("JOBS_ALLOW_OVERRIDES", true),
                    carryOut(),
                    exempt);
        }

        private CarryOutScope carryOut() {
            if (!is("JOBS_CARRY_OUT", false)) {
                return new CarryOutScope.Off(CarryOutScope.Why.SWITCHED_OFF);
            }
            var proves = words.containsKey("CALLER_TOKEN")
                    || words.containsKey("CLIENT_CERTIFICATES_CA_FILE")
                    || (words.containsKey("CERTIFICATE_SELF_MANAGED_SECRET")
                            && is("CERTIFICATE_SELF_MANAGED_CALLER_TOKEN", true));
            return proves
                    ? new CarryOutScope.On(
                            is("JOBS_JOB_OVERRIDES", false), Set.copyOf(list("JOBS_CARRY_OUT_NAMESPACES", "")))
                    : new CarryOutScope.Off(CarryOutScope.Why.NO_AUTHENTICATION);
        }

        private GatePolicy gate() {
            return new GatePolicy(
                    of("MACHINE_CONFIGS_SYNC_HOLD", SyncHold.SETTING, SyncHold.ENABLED),
                    duration("MACHINE_CONFIGS_MAX_HOLD", Duration.ofMinutes(20)),
                    duration("MACHINE_CONFIGS_MAX_HOLD_REQUIRED_POOLS", Duration.ofMinutes(10)),
                    new SyncScope(
                            list("ARGO_CD_NAMESPACES", "openshift-gitops,argocd"),
                            list("ARGO_CD_PROJECTS", "*"),
                            duration("MACHINE_CONFIGS_MAX_SYNC_AGE", Duration.ofHours(1))),
                    is("MACHINE_CONFIGS_HOLD_FOR_JOBS", false));
        }

        private Optional<String> word(String name) {
            return Optional.ofNullable(words.get(name)).filter(word -> !word.isEmpty());
        }

        private String text(String name, String otherwise) {
            return word(name).orElse(otherwise);
        }

        private <T> T of(String name, PolicySetting<T> setting, T otherwise) {
            return word(name).flatMap(setting::parse).orElse(otherwise);
        }

        private boolean is(String name, boolean otherwise) {
            return word(name).map("true"::equals).orElse(otherwise);
        }

        private List<String> list(String name, String otherwise) {
            return List.of(text(name, otherwise).split(",", -1)).stream()
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .toList();
        }

        /** As Quarkus reads it. */
        private Duration duration(String name, Duration otherwise) {
            return word(name).map(word -> parsed(word, otherwise)).orElse(otherwise);
        }

        private static Duration parsed(String word, Duration otherwise) {
            var plain = DURATION.matcher(word);
            try {
                if (plain.matches()) {
                    var number = Long.parseLong(plain.group(1));
                    return switch (plain.group(2)) {
                        case "ms" -> Duration.ofMillis(number);
                        case "m" -> Duration.ofMinutes(number);
                        case "h" -> Duration.ofHours(number);
                        case "d" -> Duration.ofDays(number);
                        case null, default -> Duration.ofSeconds(number);
                    };
                }
                return Duration.parse(word.toUpperCase(Locale.ROOT).startsWith("P") ? word : "PT" + word);
            } catch (DateTimeParseException | ArithmeticException | NumberFormatException e) {
                return otherwise;
            }
        }
    }
}
