package dev.gitopsinterlock.config;

import static dev.gitopsinterlock.config.SettingType.*;

import dev.gitopsinterlock.config.Settings.PageAudience;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.config.Settings.TlsEngine;
import dev.gitopsinterlock.policy.HoldRestarts;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.policy.WhenActive;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every setting of the service with its name, type, range, default and sentence, in the order of the documentation. Nothing
 * else has a default.
 */
public final class InterlockConfig {

    private static final List<Setting<?>> DECLARED = new ArrayList<>();

    static final Setting<OnImmutableChange> JOBS_ON_IMMUTABLE_CHANGE =
            setting("jobs.on-immutable-change", oneOf(OnImmutableChange.values()), "Reject", """
            what happens to a Job edit if neither the Job nor its Namespace says: `Reject`, `Warn`, `Preview`,
            `Replace`, `GenerateName` or `Ignore`. `Warn` counts for the [other kinds](kinds.md), too""");

    static final Setting<WhenActive> JOBS_WHEN_ACTIVE =
            setting("jobs.when-active", oneOf(WhenActive.values()), "Reject", """
            what happens to an edit under `Replace` while the Job is not finished: `Reject` or `Replace`""");

    static final Setting<Optional<Integer>> JOBS_TTL_SECONDS_AFTER_FINISHED =
            optional("jobs.ttl-seconds-after-finished", SECONDS, """
            a TTL for new Jobs that have none and that no tool recreates: a whole number of seconds, at most
            nine digits""");

    static final Setting<HoldRestarts> JOBS_HOLD_RESTARTS =
            setting("jobs.hold-restarts", oneOf(HoldRestarts.values()), "false", """
            which new Jobs get the label that lets [their Nodes
            wait](machineconfig-gate.md#jobs-that-hold-their-node): `true`, `hooks` or `false`""");

    static final Setting<Boolean> JOBS_DO_NOT_DISRUPT = setting("jobs.do-not-disrupt", TRUE_OR_FALSE, "false", """
            whether new Jobs that have that label, by policy or from their owner, also get
            [Karpenter](restart-makers.md#karpenter)'s annotation""");

    static final Setting<Boolean> JOBS_GENERATE_NAME = setting("jobs.generate-name", TRUE_OR_FALSE, "false", """
            whether the name of a new Job becomes the prefix of a generated one, where that is safe""");

    static final Setting<Boolean> JOBS_ALLOW_OVERRIDES = setting("jobs.allow-overrides", TRUE_OR_FALSE, "true", """
            whether annotations on Jobs and Namespaces count. With `false` there is no watch on Namespaces
            either""");

    static final Setting<List<String>> JOBS_EXEMPT_NAMESPACES =
            setting("jobs.exempt-namespaces", oneOrMore(NAMESPACES), "kube-system,gitops-interlock", """
            comma-separated Namespaces whose Jobs are exempt; `kube-system` always is. Include the service's
            own""");

    static final Setting<Boolean> REPLACEMENT_ENABLED = setting("replacement.enabled", TRUE_OR_FALSE, "false", """
            whether Job edits are [carried out](replace.md#switch-it-on) where the policy says `Replace` or
            `GenerateName`. It needs a `caller-token`, a self-managed one or `client-certificates`; without one
            it has no effect, and the log and the readiness details say so""");

    static final Setting<List<String>> REPLACEMENT_NAMESPACES = setting("replacement.namespaces", NAMESPACES, "", """
            comma-separated Namespaces in which edits are carried out; not set: in all""");

    static final Setting<ReplacementAs> REPLACEMENT_AS =
            setting("replacement.as", oneOf(ReplacementAs.values()), "Auto", """
            [in whose name](replace.md#in-whose-name): `Requester` (Kubernetes 1.36 or newer), `ServiceAccount`,
            or `Auto`, which finds out at startup what the API server offers""");

    static final Setting<Boolean> REPLACEMENT_STATEFUL_SETS =
            setting("replacement.stateful-sets", TRUE_OR_FALSE, "false", """
            whether edits of StatefulSets are [carried out](kinds.md#statefulsets-carried-out), too, where those
            of Jobs are and the policy says `Replace`""");

    static final Setting<Boolean> REPLACEMENT_ALLOW_JOB_ANNOTATIONS =
            setting("replacement.allow-job-annotations", TRUE_OR_FALSE, "false", """
            whether a Job's own annotation can have its edits carried out, as its Namespace's can""");

    static final Setting<Duration> REPLACEMENT_RECREATE_DELAY =
            setting("replacement.recreate-delay", UP_TO_FIVE_SECONDS, "500ms", """
            how long a replacement waits between delete and create, unless the Job had finished five seconds
            before; 1 ms to 5 s. With much less, [new Jobs get
            stuck](replace.md#the-pause-and-jobs-that-do-not-start); it has to fit into the request's timeout""");

    static final Setting<Duration> REPLACEMENT_START_CHECK_INTERVAL =
            setting("replacement.start-check-interval", UP_TO_AN_HOUR, "1m", """
            how long until a replaced Job is checked, and checked again after each touch; 1 ms to 1 h. Six
            touches have to span more than five minutes""");

    static final Setting<Integer> REPLACEMENT_CONCURRENT = setting("replacement.concurrent", COUNT, "10", """
            how many edits each replica carries out at a time, 1 to 9999; further ones wait as long as their
            request's timeout allows""");

    static final Setting<Optional<String>> CALLER_TOKEN = secret("caller-token", """
            a secret of 20 or more lowercase letters and digits that proves that the caller is the API server:
            the last part of the paths `/mutate/jobs/TOKEN`, `/validate/jobs/TOKEN` and `/validate/nodes/TOKEN`
            in the webhook configurations. Requests without it get the usual answers, but nothing is carried
            out, no Node is held and no Event is written for them""");

    static final Setting<Optional<String>> ADDITIONAL_CALLER_TOKEN = secret("additional-caller-token", """
            a second token that is also accepted, [while tokens are
            rotated](../helm/gitops-interlock/README.md#caller-token)""");

    static final Setting<Optional<Path>> CLIENT_CERTIFICATES_CA_FILE =
            optional("client-certificates.ca-file", PATH, """
            CA certificates as PEM. With it, the handshake fails without a client certificate from one of them,
            and anyone who has one with an accepted name counts as the API server, unless `caller-token` is set:
            then both are needed. [How to configure API
            servers](../helm/gitops-interlock/README.md#client-certificates)""");

    static final Setting<List<String>> CLIENT_CERTIFICATES_NAMES =
            setting("client-certificates.names", COMMON_NAMES, "", """
            comma-separated common names that are accepted; one or more if there is a `ca-file`""");

    static final Setting<SyncHold> MACHINE_CONFIGS_SYNC_HOLD =
            setting("machine-configs.sync-hold", oneOf(SyncHold.values()), "Enabled", """
            whether [rollouts of MachineConfigs wait for syncs](machineconfig-gate.md). With `Observe` none
            waits, and you are told [how long each would have](machineconfig-gate.md#watch-first). With
            `Disabled` there are no watches on Applications, MachineConfigPools and ClusterVersions either, and
            no annotation brings them back""");

    static final Setting<Duration> MACHINE_CONFIGS_MAX_HOLD =
            setting("machine-configs.max-hold", UP_TO_AN_HOUR, "20m", """
            how long a rollout is held at most, from its start; 1 ms to 1 h""");

    static final Setting<Duration> MACHINE_CONFIGS_MAX_HOLD_REQUIRED_POOLS =
            setting("machine-configs.max-hold-required-pools", UP_TO_AN_HOUR, "10m", """
            the same for pools that cluster upgrades wait for: master, and arbiter where there is one""");

    static final Setting<Duration> MACHINE_CONFIGS_MAX_SYNC_AGE =
            setting("machine-configs.max-sync-age", UP_TO_A_DAY, "1h", """
            how long a sync that is still running counts; 1 ms to 24 h""");

    static final Setting<Boolean> MACHINE_CONFIGS_HOLD_FOR_JOBS =
            setting("machine-configs.hold-for-jobs", TRUE_OR_FALSE, "false", """
            whether a Node waits for [marked Jobs](machineconfig-gate.md#jobs-that-hold-their-node) that run on
            it, too""");

    static final Setting<Boolean> MACHINE_CONFIGS_HOLD_FOR_KUSTOMIZATIONS =
            setting("machine-configs.hold-for-kustomizations", TRUE_OR_FALSE, "false", """
            whether rollouts wait, too, while [Flux](machineconfig-gate.md#flux) brings a new revision of a
            Kustomization""");

    static final Setting<String> MACHINE_CONFIGS_CONTROLLER = setting(
            "machine-configs.controller",
            SERVICE_ACCOUNT_USER,
            "system:serviceaccount:openshift-machine-config-operator:machine-config-controller",
            """
            the user that sends Nodes to a configuration; the webhook configuration's matchConditions name it
            too""");

    static final Setting<Optional<String>> UPGRADE_PLANS_CONTROLLER =
            optional("upgrade-plans.controller", SERVICE_ACCOUNT_USER, """
            the user name of the system-upgrade-controller; with it, [upgrades of K3s and
            RKE2](restart-makers.md#k3s-and-rke2) wait, too, within the limits of `machine-configs`; the webhook
            configuration's matchConditions name it too""");

    static final Setting<List<String>> ARGO_CD_NAMESPACES =
            setting("argo-cd.namespaces", oneOrMore(NAME_PATTERNS), "openshift-gitops,argocd", """
            comma-separated Namespaces of the Applications whose syncs count; `*` in a name matches anything.
            **Name yours** if Argo CD is somewhere else: syncs in other Namespaces do not count""");

    static final Setting<List<String>> ARGO_CD_PROJECTS =
            setting("argo-cd.projects", oneOrMore(NAME_PATTERNS), "*", """
            projects whose syncs count, in the same form""");

    static final Setting<Path> CERTIFICATE_DIRECTORY =
            setting("certificate.directory", PATH, "/etc/gitops-interlock/tls", """
            contains `tls.crt` and `tls.key` (PEM)""");

    static final Setting<Duration> CERTIFICATE_POLL_INTERVAL =
            setting("certificate.poll-interval", UP_TO_AN_HOUR, "10s", """
            how often these files are checked, or the Secret and the webhook configurations of a self-managed
            certificate; 1 ms to 1 h""");

    static final Setting<Optional<String>> CERTIFICATE_SELF_MANAGED_SECRET =
            optional("certificate.self-managed.secret", SUBDOMAIN, """
            the Secret in gitops-interlock's own Namespace in which it keeps [a certificate that it makes
            itself](operations.md#without-cert-manager); then no files are read""");

    static final Setting<List<String>> CERTIFICATE_SELF_MANAGED_HOSTS =
            setting("certificate.self-managed.hosts", HOSTS, "", """
            comma-separated DNS names and IP addresses by which the API server calls; required with the secret""");

    static final Setting<List<String>> CERTIFICATE_SELF_MANAGED_WEBHOOK_CONFIGURATIONS =
            setting("certificate.self-managed.webhook-configurations", WEBHOOK_CONFIGURATIONS, "", """
            those that are told of the CA, for example `mutatingwebhookconfigurations/zz-gitops-interlock`,
            separated by commas; required with the secret""");

    static final Setting<Duration> CERTIFICATE_SELF_MANAGED_DURATION =
            setting("certificate.self-managed.duration", UP_TO_TEN_YEARS, "2160h", """
            for how long a serving certificate is valid, at most 87600 h and at least six times `overlap`; it is
            renewed when a third of that is left""");

    static final Setting<Duration> CERTIFICATE_SELF_MANAGED_CA_DURATION =
            setting("certificate.self-managed.ca-duration", UP_TO_TEN_YEARS, "8760h", """
            the same for a CA; at least three times `duration`""");

    static final Setting<Duration> CERTIFICATE_SELF_MANAGED_OVERLAP =
            setting("certificate.self-managed.overlap", UP_TO_A_DAY, "1h", """
            for how long a new CA is trusted before it signs, and an old one after; the same for caller tokens;
            at least three times `poll-interval`, at most 24 h""");

    static final Setting<Boolean> CERTIFICATE_SELF_MANAGED_CALLER_TOKEN =
            setting("certificate.self-managed.caller-token", TRUE_OR_FALSE, "true", """
            whether gitops-interlock makes and rotates a caller token too, if it makes its certificate""");

    static final Setting<Duration> CERTIFICATE_SELF_MANAGED_CALLER_TOKEN_INTERVAL =
            setting("certificate.self-managed.caller-token-interval", UP_TO_TEN_YEARS, "24h", """
            how often there is another one, at most 87600 h and at least twice `overlap`""");

    static final Setting<TlsEngine> TLS_ENGINE = setting("tls.engine", oneOf(TlsEngine.values()), "BoringSSL", """
            whose code encrypts: `BoringSSL`, or Java's own (`JDK`), which takes [1.5 to 2.6 times the CPU
            time](performance.md#tls-by-boringssl); Java's also where BoringSSL's library cannot be loaded, and
            the log says so""");

    static final Setting<Duration> LIMITS_BODY_DEADLINE = setting("limits.body-deadline", UP_TO_AN_HOUR, "10s", """
            how long a sender may take to send a request's body, 1 ms to 1 h""");

    static final Setting<Boolean> EVENTS_REFUSED_EDITS = setting("events.refused-edits", TRUE_OR_FALSE, "true", """
            whether a refused edit is told in [an Event on its object](monitoring.md#events), too; only where
            API servers prove that they are the ones who call""");

    static final Setting<Optional<String>> GUIDANCE_PAGES = optional("guidance.pages", PAGES, """
            where the link at the end of a denial leads, at most 80 characters: your own copy of docs/guidance,
            or any address with `{code}` in it; not set: denials end with the code alone""");

    static final Setting<PageAudience> STATUS_PAGE =
            setting("status-page", oneOf(PageAudience.values()), "PortForward", """
            who is shown [the status page](status-page.md): `PortForward` those who may forward a port to the
            Pod, `Everyone` who reaches the management port, `Disabled` nobody""");

    static final Setting<Optional<URI>> TRACING_ENDPOINT = optional("tracing.endpoint", COLLECTOR, """
            OpenTelemetry collector that gets [the spans of reviews](monitoring.md#traces) that the API server
            traces, at its address for OTLP over HTTP (`http://collector:4318`); not set: no spans""");

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

    private static <T> Setting<T> setting(String name, SettingType<T> type, String byDefault, String sentence) {
        return declared(new Setting<>(name, type, byDefault, sentence, false));
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
