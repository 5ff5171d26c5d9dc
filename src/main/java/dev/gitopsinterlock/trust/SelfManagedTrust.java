package dev.gitopsinterlock.trust;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.certificate.PairReading;
import dev.gitopsinterlock.certificate.PairReading.Reason;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import dev.gitopsinterlock.certificate.PairSource;
import dev.gitopsinterlock.certificate.ServingCertificate;
import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.KubernetesApi.Patch;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.config.Settings.SelfManaged;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * Keeps the Secret and the webhook configurations as {@link Renewal} wants them. Every replica does this; what two write
 * at once is decided by the Secret's resourceVersion, and the loser takes over what the winner wrote. What the API server's
 * clock says counts, not ours: it is the one who verifies. Blocks; call it from one thread.
 */
@Singleton
public final class SelfManagedTrust implements PairSource {

    private static final Logger LOG = Logger.getLogger(SelfManagedTrust.class);
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int ATTEMPTS = 5;

    private final Optional<SelfManaged> settings;
    private final Optional<String> configuredToken;
    private final Provider<KubernetesApi> api;
    private final ProcessClock clock;
    private final CallerTokens tokens;
    private final WebhookPublication publication;

    private TrustState known = TrustState.EMPTY;
    private volatile boolean isKept;

    /** The API is asked for once the service runs: its client may be made later than the port's certificate. */
    SelfManagedTrust(Settings settings, Provider<KubernetesApi> api, ProcessClock clock, CallerTokens tokens) {
        this.settings = settings.selfManaged();
        this.configuredToken = settings.authentication().tokens().stream().findFirst();
        this.api = api;
        this.clock = clock;
        this.tokens = tokens;
        this.publication = new WebhookPublication(api);
    }

    /** One in memory, which nobody trusts, so that the port can open before the API server is asked. */
    @Override
    public PairReading first() {
        var kept = settings.orElseThrow();
        var now = clock.now();
        var authority = CertificateIssuer.authority(kept.duration(), now);
        return new Usable(CertificateIssuer.leaf(authority, kept.hosts(), kept.duration(), now));
    }

    /** Looks at the Secret and the webhook configurations, renews what is due, and gives what is to be served. */
    @Override
    public PairReading read() {
        var kept = settings.orElseThrow();
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                var pair = keep(kept);
                if (pair.isPresent()) {
                    isKept = true;
                    return new Usable(pair.get());
                }
            }
            return unusable(
                    kept, "was written by others %d times in a row; the next look tries again".formatted(ATTEMPTS));
        } catch (Refused e) {
            return unusable(kept, e.words);
        } catch (IOException e) {
            LOG.debug("no answer about the Secret of the certificate", e);
            return unusable(kept, "could not be read or written: the API server does not answer");
        }
    }

    /** Soon, until there is a pair that API servers trust. */
    @Override
    public Duration nextLook(Duration interval) {
        return isKept || interval.compareTo(SOON) < 0 ? interval : SOON;
    }

    private PairReading unusable(SelfManaged kept, String what) {
        return new Unusable(
                Reason.UNREADABLE,
                "Secret %s/%s %s%s"
                        .formatted(
                                api.get().ownNamespace(),
                                kept.secret(),
                                what,
                                isKept ? "" : "; no API server trusts what is served yet"));
    }

    /** Ready once the certificate that API servers trust is served, where the service keeps it itself. */
    @Produces
    @Readiness
    @Singleton
    HealthCheck readiness() {
        return () ->
                HealthCheckResponse.named("certificate kept").status(isKept()).build();
    }

    /** Whether the pair in the Secret is the one that is served; always where there is no such Secret. */
    boolean isKept() {
        return isKept || settings.isEmpty();
    }

    /** Whether the webhook configurations say at the last look what they are to say, or could be made to. */
    boolean isPublished() {
        return publication.isComplete();
    }

    /** The certificate to serve; empty if somebody else wrote the Secret meanwhile. */
    private Optional<ServingCertificate> keep(SelfManaged kept) throws IOException {
        var renewal = new Renewal(kept);
        var secret = secret(kept);
        var now = api.get().now();
        var read = TrustSecret.read(secret.body().path("data"));
        var stored = read.orElseGet(() -> restored(kept, renewal, now));
        var configurations = publication.configurations(kept.webhookConfigurations());
        var state = renewal.next(
                stored,
                now,
                newestIsTrusted(stored, configurations),
                isPublished(configurations, token(renewal, stored, now)));

        var data = TrustSecret.write(state);
        if (!data.equals(secret.body().path("data"))) {
            var written = api.get()
                    .replace(
                            path(kept),
                            ((ObjectNode) secret.body().deepCopy()).set("data", data),
                            KubernetesApi.PATIENCE);
            if (written.status() == 409) {
                return Optional.empty();
            }
            orRefused(written, "could not be written");
            report(stored, state);
        }
        known = state;
        tokens.accept(
                kept.callerToken()
                        ? state.tokens().stream().map(CallerToken::value).toList()
                        : List.of());
        publication.publish(configurations, TrustSecret.bundle(state), token(renewal, state, now));
        return state.leaf();
    }

    /** The Secret in the cluster; where there is none, it is made, empty. */
    private ApiAnswer secret(SelfManaged kept) throws IOException {
        var secret = api.get().get(path(kept), KubernetesApi.PATIENCE);
        if (secret.status() == 404) {
            var empty = JsonNodeFactory.instance.objectNode();
            empty.put("apiVersion", "v1")
                    .put("kind", "Secret")
                    .putObject("metadata")
                    .put("name", kept.secret());
            secret = api.get().patch(path(kept), Patch.APPLY, empty, KubernetesApi.PATIENCE);
        }
        return orRefused(secret, "could not be read");
    }

    private String path(SelfManaged kept) {
        return ResourceType.SECRET.path(new ObjectName(api.get().ownNamespace(), kept.secret()));
    }

    /** Nothing that can be read is there: it is put back as we know it, with a CA that takes over. */
    private TrustState restored(SelfManaged kept, Renewal renewal, Instant now) {
        if (known.leaf().isEmpty()) {
            return TrustState.EMPTY;
        }
        LOG.warnf(
                "Secret %s was deleted or overwritten: it is put back as it was, with a new CA that takes over in %d s",
                kept.secret(), kept.overlap().toSeconds());
        return renewal.renewed(known, now);
    }

    private static boolean newestIsTrusted(TrustState state, Map<String, ApiAnswer> configurations) {
        return state.newest()
                .filter(authority -> configurations.values().stream()
                        .allMatch(answer -> answer.isSuccess() && WebhookTrust.trusts(answer.body(), authority)))
                .isPresent();
    }

    /** A rotating one, or else the one that is configured. */
    private Optional<String> token(Renewal renewal, TrustState state, Instant now) {
        return renewal.published(state, now).or(() -> configuredToken);
    }

    private static boolean isPublished(Map<String, ApiAnswer> configurations, Optional<String> token) {
        return configurations.values().stream()
                .allMatch(answer -> answer.isSuccess() && WebhookTrust.carries(answer.body(), token));
    }

    private static void report(TrustState before, TrustState after) {
        if (!before.newest().equals(after.newest())) {
            LOG.infof("a new CA was made: %s", after.newest().orElseThrow());
        }
        if (!last(before, CallerToken::created).equals(last(after, CallerToken::created))) {
            LOG.info("a new caller token was made");
        }
    }

    private static Optional<Instant> last(TrustState state, Function<CallerToken, Instant> created) {
        return state.tokens().isEmpty()
                ? Optional.empty()
                : Optional.of(created.apply(state.tokens().getLast()));
    }

    private static ApiAnswer orRefused(ApiAnswer answer, String what) throws Refused {
        if (!answer.isSuccess()) {
            throw new Refused(what + ": " + answer.words());
        }
        return answer;
    }

    /** The API server said no. */
    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1L;

        private final String words;

        Refused(String words) {
            super(words);
            this.words = words;
        }
    }
}
