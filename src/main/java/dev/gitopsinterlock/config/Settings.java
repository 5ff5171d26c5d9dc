package dev.gitopsinterlock.config;

import static dev.gitopsinterlock.config.InterlockConfig.*;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.policy.OnImmutableChange;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.policy.PolicyValue;
import dev.gitopsinterlock.policy.ReplacementScope;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings with types; immutable, and the same for the whole life of the process.
 *
 * @param levels the policy for Jobs as the cluster has it
 * @param objectLevels the same for other kinds: Warn counts for all of them, and StatefulSets' edits alone are carried out
 * @param effects how edits are carried out
 * @param gate how long rollouts wait, and for what
 * @param holdsForKustomizations whether rollouts wait for Flux, too
 * @param holdsForApplicationSets whether rollouts wait between the steps of progressive syncs, too
 * @param countsSourceNamespaces whether syncs count, too, where the Namespace is labelled as a source of a known Argo CD
 * @param hub where kubeconfigs are of the clusters in which syncs of a hub are announced
 * @param restartMakers user names of those whose rollouts can wait
 * @param authentication how the API server proves that it is the one who calls
 * @param certificates the directory of tls.crt and tls.key
 * @param certificatePoll how often that is looked at
 * @param selfManaged in place of that directory: how the service keeps its certificate itself
 * @param bodyDeadline how long a body may take
 * @param emitsDenialEvents whether a refused edit becomes an Event on its object
 * @param pages of the guidance
 * @param statusPage who is shown the status page
 * @param collector of spans, if there are to be any
 * @param tlsEngine of the webhook
 */
public record Settings(
        Policy.Levels levels,
        Policy.Levels objectLevels,
        Effects effects,
        GatePolicy gate,
        boolean holdsForKustomizations,
        boolean holdsForApplicationSets,
        boolean countsSourceNamespaces,
        Optional<Path> hub,
        Map<KnownMaker, String> restartMakers,
        Authentication authentication,
        Path certificates,
        Duration certificatePoll,
        Optional<SelfManaged> selfManaged,
        Duration bodyDeadline,
        boolean emitsDenialEvents,
        GuidancePages pages,
        PageAudience statusPage,
        Optional<URI> collector,
        TlsEngine tlsEngine) {

    public Settings {
        restartMakers = Collections.unmodifiableMap(new EnumMap<>(restartMakers));
    }

    /** The settings that these values give, by their names; a wrong one does not count. */
    public static Settings of(Map<String, String> words) {
        var selfManaged = SelfManaged.of(words);
        var authentication = authentication(words, selfManaged);
        var levels = levels(words, authentication);
        return new Settings(
                levels,
                new Policy.Levels(
                        Policy.Values.DEFAULT.with(
                                levels.cluster().onImmutableChange() == OnImmutableChange.WARN
                                        ? OnImmutableChange.WARN
                                        : OnImmutableChange.REJECT),
                        levels.allowOverrides(),
                        REPLACEMENT_STATEFUL_SETS.in(words)
                                ? levels.replacement()
                                : new ReplacementScope.Off(ReplacementScope.Why.SWITCHED_OFF),
                        levels.exemptNamespaces()),
                new Effects(
                        REPLACEMENT_RECREATE_DELAY.in(words),
                        REPLACEMENT_START_CHECK_INTERVAL.in(words),
                        REPLACEMENT_CONCURRENT.in(words),
                        REPLACEMENT_AS.in(words)),
                new GatePolicy(
                        MACHINE_CONFIGS_SYNC_HOLD.in(words),
                        MACHINE_CONFIGS_MAX_HOLD.in(words),
                        MACHINE_CONFIGS_MAX_HOLD_REQUIRED_POOLS.in(words),
                        new SyncScope(
                                ARGO_CD_NAMESPACES.in(words),
                                ARGO_CD_PROJECTS.in(words),
                                MACHINE_CONFIGS_MAX_SYNC_AGE.in(words),
                                MACHINE_CONFIGS_LEASE_NAMESPACES.in(words)),
                        MACHINE_CONFIGS_HOLD_FOR_JOBS.in(words),
                        MACHINE_CONFIGS_HONOR_NODE_DISRUPTION_POLICY.in(words)),
                MACHINE_CONFIGS_HOLD_FOR_KUSTOMIZATIONS.in(words),
                MACHINE_CONFIGS_HOLD_FOR_APPLICATION_SETS.in(words),
                ARGO_CD_SOURCE_NAMESPACES.in(words),
                HUB_DIRECTORY.in(words),
                restartMakers(words, authentication),
                authentication,
                CERTIFICATE_DIRECTORY.in(words),
                CERTIFICATE_POLL_INTERVAL.in(words),
                selfManaged,
                LIMITS_BODY_DEADLINE.in(words),
                EVENTS_REFUSED_EDITS.in(words),
                PackagedPages.at(GUIDANCE_PAGES.in(words)),
                STATUS_PAGE.in(words),
                TRACING_ENDPOINT.in(words),
                TLS_ENGINE.in(words));
    }

    private static Map<KnownMaker, String> restartMakers(Map<String, String> words, Authentication authentication) {
        var users = new EnumMap<KnownMaker, String>(KnownMaker.class);
        users.put(KnownMaker.MACHINE_CONFIG_CONTROLLER, MACHINE_CONFIGS_CONTROLLER.in(words));
        RESTART_MAKERS.forEach((maker, setting) -> setting.in(words)
                .filter(user -> authentication.isConfigured() || !maker.needsProof())
                .ifPresent(user -> users.put(maker, user)));
        return users;
    }

    private static Policy.Levels levels(Map<String, String> words, Authentication authentication) {
        return new Policy.Levels(
                new Policy.Values(
                        JOBS_ON_IMMUTABLE_CHANGE.in(words),
                        JOBS_WHEN_ACTIVE.in(words),
                        JOBS_TTL_SECONDS_AFTER_FINISHED.in(words),
                        JOBS_GENERATE_NAME.in(words),
                        JOBS_HOLD_RESTARTS.in(words),
                        JOBS_DO_NOT_DISRUPT.in(words)),
                JOBS_ALLOW_OVERRIDES.in(words),
                replacement(words, authentication),
                Stream.concat(Stream.of("kube-system"), JOBS_EXEMPT_NAMESPACES.in(words).stream())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** There is no switch by which everybody is trusted. */
    private static ReplacementScope replacement(Map<String, String> words, Authentication authentication) {
        if (!REPLACEMENT_ENABLED.in(words)) {
            return new ReplacementScope.Off(ReplacementScope.Why.SWITCHED_OFF);
        }
        return authentication.isConfigured()
                ? new ReplacementScope.On(
                        REPLACEMENT_ALLOW_JOB_ANNOTATIONS.in(words), Set.copyOf(REPLACEMENT_NAMESPACES.in(words)))
                : new ReplacementScope.Off(ReplacementScope.Why.NO_AUTHENTICATION);
    }

    private static Authentication authentication(Map<String, String> words, Optional<SelfManaged> selfManaged) {
        return new Authentication(
                Stream.of(CALLER_TOKEN, ADDITIONAL_CALLER_TOKEN)
                        .flatMap(token -> token.in(words).stream())
                        .toList(),
                selfManaged.filter(SelfManaged::callerToken).isPresent(),
                CLIENT_CERTIFICATES_CA_FILE
                        .in(words)
                        .map(file -> new Callers(file, CLIENT_CERTIFICATES_NAMES.in(words))));
    }

    /**
     * How edits are carried out.
     *
     * @param recreateDelay the pause between deleting a Job that was active and creating it anew
     * @param startCheckInterval after how long a replaced Job is looked at
     * @param concurrent how many at a time
     * @param as in whose name
     */
    public record Effects(Duration recreateDelay, Duration startCheckInterval, int concurrent, ReplacementAs as) {}

    /** In whose name edits are carried out. The words are the values of the setting. */
    public enum ReplacementAs implements PolicyValue {
        /** In the requester's, where the API server offers it; else in the service account's. */
        AUTO,
        /** In the requester's or not at all. */
        REQUESTER,
        /** In the service account's, for requesters who could do the same. */
        SERVICE_ACCOUNT
    }

    /** Who is shown the status page. The words are the values of the setting. */
    public enum PageAudience implements PolicyValue {
        /** Who comes from inside the Pod: those who may forward a port to it. */
        PORT_FORWARD,
        /** Who reaches the management port. */
        EVERYONE,
        /** Nobody; there is no such page. */
        DISABLED
    }

    /** Who encrypts. The words are the values of the setting. */
    public enum TlsEngine implements PolicyValue {
        /** BoringSSL, where its library can be loaded; else Java. */
        BORING_SSL("BoringSSL"),
        /** Java, by the providers that it is set up with. */
        JDK("JDK");

        private final String word;

        TlsEngine(String word) {
            this.word = word;
        }

        @Override
        public String configValue() {
            return word;
        }
    }

    /**
     * How the API server proves that it is the one who calls. Where nothing is configured, nobody can.
     *
     * @param tokens any of these, as the last part of the path, proves it; secret; one, or two while they are rotated
     * @param rotates whether there are tokens that the service rotates itself, and any of those proves it
     * @param callers client certificates that are let in; with them nobody else gets through the handshake
     */
    public record Authentication(List<String> tokens, boolean rotates, Optional<Callers> callers) {
        public Authentication {
            tokens = List.copyOf(tokens);
        }

        public boolean isConfigured() {
            return !tokens.isEmpty() || rotates || callers.isPresent();
        }

        /** Without the tokens, so that no log line can have them. */
        @Override
        public String toString() {
            return "Authentication[%d tokens, rotates=%s, callers=%s]".formatted(tokens.size(), rotates, callers);
        }
    }

    /**
     * How the service keeps its certificate itself. A third of {@code caDuration} is at least {@code duration}, and a
     * third of that at least twice the {@code overlap}.
     *
     * @param secret where it is kept, in our own Namespace
     * @param hosts names and addresses by which the API server calls; one or more
     * @param webhookConfigurations those that are told of the CA, each with its resource
     * @param duration of a serving certificate
     * @param caDuration of a CA
     * @param overlap how long a CA or a token is known before it is used and after
     * @param callerToken whether there are caller tokens, too
     * @param callerTokenInterval how often there is another one
     */
    public record SelfManaged(
            String secret,
            List<String> hosts,
            List<String> webhookConfigurations,
            Duration duration,
            Duration caDuration,
            Duration overlap,
            boolean callerToken,
            Duration callerTokenInterval) {

        private static Optional<SelfManaged> of(Map<String, String> words) {
            return CERTIFICATE_SELF_MANAGED_SECRET
                    .in(words)
                    .map(secret -> new SelfManaged(
                            secret,
                            CERTIFICATE_SELF_MANAGED_HOSTS.in(words),
                            CERTIFICATE_SELF_MANAGED_WEBHOOK_CONFIGURATIONS.in(words),
                            CERTIFICATE_SELF_MANAGED_DURATION.in(words),
                            CERTIFICATE_SELF_MANAGED_CA_DURATION.in(words),
                            CERTIFICATE_SELF_MANAGED_OVERLAP.in(words),
                            CERTIFICATE_SELF_MANAGED_CALLER_TOKEN.in(words),
                            CERTIFICATE_SELF_MANAGED_CALLER_TOKEN_INTERVAL.in(words)));
        }
    }

    /**
     * Those who show a client certificate.
     *
     * @param authorities a file with the CA certificates that sign theirs, as PEM
     * @param names their common names; one or more
     */
    public record Callers(Path authorities, List<String> names) {}
}
