package dev.gitopsinterlock.config;

import static dev.gitopsinterlock.config.SettingType.*;

import dev.gitopsinterlock.config.Settings.PageAudience;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.config.Settings.TlsEngine;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.WhenActive;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every setting of the service with its name, type, range and default, in the order of the documentation. Nothing else has a
 * default. What a setting does is said of the chart's value.
 */
public final class InterlockConfig {

    private static final List<Setting<?>> DECLARED = new ArrayList<>();

    static final Setting<OnImmutableChange> JOBS_ON_IMMUTABLE_CHANGE =
            setting("jobs.on-immutable-change", oneOf(OnImmutableChange.values()), "Reject");

    static final Setting<WhenActive> JOBS_WHEN_ACTIVE =
            setting("jobs.when-active", oneOf(WhenActive.values()), "Reject");

    static final Setting<Optional<Integer>> JOBS_TTL_SECONDS_AFTER_FINISHED =
            optional("jobs.ttl-seconds-after-finished", SECONDS);

    static final Setting<HoldRestarts> JOBS_HOLD_RESTARTS =
            setting("jobs.hold-restarts", oneOf(HoldRestarts.values()), "false");

    static final Setting<Boolean> JOBS_DO_NOT_DISRUPT = setting("jobs.do-not-disrupt", TRUE_OR_FALSE, "false");

    static final Setting<Boolean> JOBS_GENERATE_NAME = setting("jobs.generate-name", TRUE_OR_FALSE, "false");

    static final Setting<Boolean> JOBS_ALLOW_OVERRIDES = setting("jobs.allow-overrides", TRUE_OR_FALSE, "true");

    static final Setting<List<String>> JOBS_EXEMPT_NAMESPACES =
            setting("jobs.exempt-namespaces", oneOrMore(NAMESPACES), "kube-system,gitops-interlock", """
            with the service's Namespace, and `kube-system`, which always is exempt""");

    static final Setting<Boolean> REPLACEMENT_ENABLED = setting("replacement.enabled", TRUE_OR_FALSE, "false");

    static final Setting<List<String>> REPLACEMENT_NAMESPACES = setting("replacement.namespaces", NAMESPACES, "");

    static final Setting<ReplacementAs> REPLACEMENT_AS =
            setting("replacement.as", oneOf(ReplacementAs.values()), "Auto");

    static final Setting<Boolean> REPLACEMENT_STATEFUL_SETS =
            setting("replacement.stateful-sets", TRUE_OR_FALSE, "false");

    static final Setting<Boolean> REPLACEMENT_ALLOW_JOB_ANNOTATIONS =
            setting("replacement.allow-job-annotations", TRUE_OR_FALSE, "false");

    static final Setting<Duration> REPLACEMENT_RECREATE_DELAY =
            setting("replacement.recreate-delay", UP_TO_FIVE_SECONDS, "500ms");

    static final Setting<Duration> REPLACEMENT_START_CHECK_INTERVAL =
            setting("replacement.start-check-interval", UP_TO_AN_HOUR, "1m");

    static final Setting<Integer> REPLACEMENT_CONCURRENT = setting("replacement.concurrent", COUNT, "10");

    static final Setting<Optional<String>> CALLER_TOKEN = secret("caller-token", """
            the last part of the paths `/mutate/jobs/TOKEN`, `/validate/jobs/TOKEN` and
            `/validate/nodes/TOKEN` in the webhook configurations""");

    static final Setting<Optional<String>> ADDITIONAL_CALLER_TOKEN = secret("additional-caller-token", "");

    static final Setting<Optional<Path>> CLIENT_CERTIFICATES_CA_FILE =
            optional("client-certificates.ca-file", PATH, """
            a file that has it""");

    static final Setting<List<String>> CLIENT_CERTIFICATES_NAMES =
            setting("client-certificates.names", COMMON_NAMES, "");

    static final Setting<SyncHold> MACHINE_CONFIGS_SYNC_HOLD =
            setting("machine-configs.sync-hold", oneOf(SyncHold.values()), "Enabled", """
            `Disabled`, which no annotation overrides, is `machineConfigs.enabled: false`""");

    static final Setting<Duration> MACHINE_CONFIGS_MAX_HOLD = setting("machine-configs.max-hold", UP_TO_AN_HOUR, "20m");

    static final Setting<Duration> MACHINE_CONFIGS_MAX_HOLD_REQUIRED_POOLS =
            setting("machine-configs.max-hold-required-pools", UP_TO_AN_HOUR, "10m");

    static final Setting<Duration> MACHINE_CONFIGS_MAX_SYNC_AGE =
            setting("machine-configs.max-sync-age", UP_TO_A_DAY, "1h");

    static final Setting<Boolean> MACHINE_CONFIGS_HOLD_FOR_JOBS =
            setting("machine-configs.hold-for-jobs", TRUE_OR_FALSE, "false");

    static final Setting<Boolean> MACHINE_CONFIGS_HOLD_FOR_KUSTOMIZATIONS =
            setting("machine-configs.hold-for-kustomizations", TRUE_OR_FALSE, "false");

    static final Setting<Boolean> MACHINE_CONFIGS_HOLD_FOR_APPLICATION_SETS =
            setting("machine-configs.hold-for-application-sets", TRUE_OR_FALSE, "false");

    static final Setting<Boolean> MACHINE_CONFIGS_HONOR_NODE_DISRUPTION_POLICY =
            setting("machine-configs.honor-node-disruption-policy", TRUE_OR_FALSE, "false");

    static final Setting<List<String>> MACHINE_CONFIGS_LEASE_NAMESPACES =
            setting("machine-configs.lease-namespaces", NAMESPACES, "");

    static final Setting<String> MACHINE_CONFIGS_CONTROLLER = setting(
            KnownMaker.MACHINE_CONFIG_CONTROLLER.setting(),
            SERVICE_ACCOUNT_USER,
            "system:serviceaccount:openshift-machine-config-operator:machine-config-controller",
            """
            the webhook configuration's matchConditions name it, too""");

    /** The users of the other makers of restarts, where these wait, too. */
    static final Map<KnownMaker, Setting<Optional<String>>> RESTART_MAKERS = Arrays.stream(KnownMaker.values())
            .filter(maker -> maker != KnownMaker.MACHINE_CONFIG_CONTROLLER)
            .collect(Collectors.toUnmodifiableMap(
                    Function.identity(),
                    maker -> optional(maker.setting(), SYSTEM_USER, """
            `%1$s.controller`, if `%1$s.enabled`; the webhook configuration's matchConditions
            name it, too""".formatted(maker.feature()))));

    static final Setting<List<String>> ARGO_CD_NAMESPACES =
            setting("argo-cd.namespaces", oneOrMore(NAME_PATTERNS), "openshift-gitops,argocd");

    static final Setting<Boolean> ARGO_CD_SOURCE_NAMESPACES =
            setting("argo-cd.source-namespaces", TRUE_OR_FALSE, "false");

    static final Setting<List<String>> ARGO_CD_PROJECTS = setting("argo-cd.projects", oneOrMore(NAME_PATTERNS), "*");

    static final Setting<Optional<Path>> HUB_DIRECTORY = optional("hub.directory", PATH, """
            has a kubeconfig for each cluster, as a file with its name, where `hub.enabled`""");

    static final Setting<Path> CERTIFICATE_DIRECTORY =
            setting("certificate.directory", PATH, "/etc/gitops-interlock/tls", """
            contains `tls.crt` and `tls.key` (PEM)""");

    static final Setting<Duration> CERTIFICATE_POLL_INTERVAL =
            setting("certificate.poll-interval", UP_TO_AN_HOUR, "10s");

    static final Setting<Optional<String>> CERTIFICATE_SELF_MANAGED_SECRET =
            optional("certificate.self-managed.secret", SUBDOMAIN, """
            the Secret in the service's Namespace for [a certificate that it makes
            itself](operations.md#without-cert-manager); then no files are read""");

    static final Setting<List<String>> CERTIFICATE_SELF_MANAGED_HOSTS =
            setting("certificate.self-managed.hosts", HOSTS, "", """
            DNS names and IP addresses by which the API server calls; required with the secret""");

    static final Setting<List<String>> CERTIFICATE_SELF_MANAGED_WEBHOOK_CONFIGURATIONS =
            setting("certificate.self-managed.webhook-configurations", WEBHOOK_CONFIGURATIONS, "", """
            those that get the CA, such as `mutatingwebhookconfigurations/zz-gitops-interlock`; required with
            the secret""");

    static final Setting<Duration> CERTIFICATE_SELF_MANAGED_DURATION =
            setting("certificate.self-managed.duration", UP_TO_TEN_YEARS, "2160h");

    static final Setting<Duration> CERTIFICATE_SELF_MANAGED_CA_DURATION =
            setting("certificate.self-managed.ca-duration", UP_TO_TEN_YEARS, "8760h");

    static final Setting<Duration> CERTIFICATE_SELF_MANAGED_OVERLAP =
            setting("certificate.self-managed.overlap", UP_TO_A_DAY, "1h");

    static final Setting<Boolean> CERTIFICATE_SELF_MANAGED_CALLER_TOKEN =
            setting("certificate.self-managed.caller-token", TRUE_OR_FALSE, "true");

    static final Setting<Duration> CERTIFICATE_SELF_MANAGED_CALLER_TOKEN_INTERVAL =
            setting("certificate.self-managed.caller-token-interval", UP_TO_TEN_YEARS, "24h");

    static final Setting<TlsEngine> TLS_ENGINE = setting("tls.engine", oneOf(TlsEngine.values()), "BoringSSL");

    static final Setting<Duration> LIMITS_BODY_DEADLINE = setting("limits.body-deadline", UP_TO_AN_HOUR, "10s");

    static final Setting<Boolean> EVENTS_REFUSED_EDITS = setting("events.refused-edits", TRUE_OR_FALSE, "true");

    static final Setting<Optional<String>> GUIDANCE_PAGES = optional("guidance.pages", PAGES);

    static final Setting<PageAudience> STATUS_PAGE =
            setting("status-page", oneOf(PageAudience.values()), "PortForward");

    static final Setting<Optional<URI>> TRACING_ENDPOINT = optional("tracing.endpoint", COLLECTOR);

    /** All of them. */
    public static final List<Setting<?>> ALL = List.copyOf(DECLARED);

    /** Names that settings had. */
    static final Map<String, Setting<?>> FORMER = Map.of(
            "jobs.carry-out", REPLACEMENT_ENABLED,
            "jobs.carry-out-as", REPLACEMENT_AS,
            "jobs.carry-out-namespaces", REPLACEMENT_NAMESPACES,
            "stateful-sets.carry-out", REPLACEMENT_STATEFUL_SETS,
            "jobs.job-overrides", REPLACEMENT_ALLOW_JOB_ANNOTATIONS,
            "jobs.replace-settle", REPLACEMENT_RECREATE_DELAY,
            "jobs.after-care-interval", REPLACEMENT_START_CHECK_INTERVAL,
            "jobs.concurrent-effects", REPLACEMENT_CONCURRENT);

    private InterlockConfig() {}

    private static <T> Setting<T> setting(String name, SettingType<T> type, String byDefault) {
        return setting(name, type, byDefault, "");
    }

    private static <T> Setting<T> setting(String name, SettingType<T> type, String byDefault, String sentence) {
        return declared(new Setting<>(name, type, byDefault, sentence, false));
    }

    private static <T> Setting<Optional<T>> optional(String name, SettingType<T> type) {
        return optional(name, type, "");
    }

    private static <T> Setting<Optional<T>> optional(String name, SettingType<T> type, String sentence) {
        return declared(new Setting<>(name, type.orNone(), "", sentence, false));
    }

    private static Setting<Optional<String>> secret(String name, String sentence) {
        return declared(new Setting<>(name, TOKEN.orNone(), "", sentence, true));
    }

    private static <T> Setting<T> declared(Setting<T> setting) {
        DECLARED.add(setting);
        return setting;
    }
}
