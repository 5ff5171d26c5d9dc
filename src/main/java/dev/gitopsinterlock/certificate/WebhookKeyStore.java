package dev.gitopsinterlock.certificate;

import dev.gitopsinterlock.certificate.PairReading.OutOfTime;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import dev.gitopsinterlock.config.CheckedSettings;
import dev.gitopsinterlock.config.ConfigProblem;
import dev.gitopsinterlock.config.Setting;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.tls.KeyStoreAndKeyCertOptions;
import io.quarkus.tls.KeyStoreProvider;
import io.smallrye.common.annotation.Identifier;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.security.KeyStore;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Gives the HTTPS server a key manager that swaps, in place of the TLS registry's own reloading, which drops
 * connections at every look and serves a pair that does not fit.
 */
@Singleton
@Identifier("webhook")
public final class WebhookKeyStore implements KeyStoreProvider {

    private static final Logger LOG = Logger.getLogger(WebhookKeyStore.class);

    private final CheckedSettings checked;
    private final ClientCertificates clients;
    private final PairSource selfManaged;
    private final ScheduledExecutorService poll = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("certificate-poll").factory());
    private @Nullable CertificateRotation rotation;

    /**
     * Asks nobody yet.
     *
     * @param selfManaged in place of files where the settings say that the service keeps its certificate itself
     */
    WebhookKeyStore(CheckedSettings checked, ClientCertificates clients, PairSource selfManaged) {
        this.checked = checked;
        this.clients = clients;
        this.selfManaged = selfManaged;
    }

    /** Called once, before the port opens; refuses to start if there is a severe problem with any setting. */
    @Override
    public KeyStoreAndKeyCertOptions getKeyStore(Vertx vertx) {
        var settings = checked.settings();
        var isSelfManaged = settings.selfManaged().isPresent();
        var source = isSelfManaged ? selfManaged : new KeyPairFiles(settings.certificates(), Clock.systemUTC(), vertx);
        var first = source.first();
        checked.with(problem(first)).with(clients.read(vertx)).orRefuseToStart();
        var served = new SwappingKeyManager(pair(first));
        var rotating = new CertificateRotation(source::read, served);
        rotation = rotating;
        if (!isSelfManaged) {
            rotating.refresh();
        }
        look(rotating, source, isSelfManaged ? Duration.ZERO : settings.certificatePoll());
        return new KeyStoreAndKeyCertOptions(emptyKeyStore(), KeyCertOptions.wrap(served));
    }

    void stop(@Observes ShutdownEvent event) {
        poll.shutdownNow();
    }

    private void look(CertificateRotation rotating, PairSource source, Duration pause) {
        var _ = poll.schedule(
                () -> {
                    refresh(rotating);
                    look(rotating, source, source.nextLook(checked.settings().certificatePoll()));
                },
                pause.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** An exception would end the polling for good. */
    private static void refresh(CertificateRotation rotating) {
        try {
            rotating.refresh();
        } catch (RuntimeException e) {
            LOG.error("looking at the serving certificate failed", e);
        }
    }

    /** For metrics and people, who come later than the port's certificate. */
    public CertificateRotation rotation() {
        return Objects.requireNonNull(rotation, "the HTTPS server has not asked for its certificate yet");
    }

    /** A pair that fits together is better than none, even out of its time: it heals without a restart. */
    private static Optional<ConfigProblem> problem(PairReading reading) {
        var property = Setting.PREFIX + "certificate.directory";
        return switch (reading) {
            case Usable usable -> Optional.empty();
            case OutOfTime(var pair, var reason, var detail) ->
                Optional.of(ConfigProblem.warning(property, detail + "; it is served until a better one is there"));
            case Unusable(var reason, var detail) -> Optional.of(ConfigProblem.severe(property, detail));
        };
    }

    private static ServingCertificate pair(PairReading reading) {
        return switch (reading) {
            case Usable(var pair) -> pair;
            case OutOfTime(var pair, var reason, var detail) -> pair;
            case Unusable(var reason, var detail) ->
                throw new IllegalStateException("an unusable pair passed the check");
        };
    }

    private static KeyStore emptyKeyStore() {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            return store;
        } catch (Exception e) { // cannot happen with the default type
            throw new IllegalStateException(e);
        }
    }
}
