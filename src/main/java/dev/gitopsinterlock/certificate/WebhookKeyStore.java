package dev.gitopsinterlock.certificate;

import dev.gitopsinterlock.certificate.PairReading.OutOfTime;
import dev.gitopsinterlock.certificate.PairReading.Reason;
import dev.gitopsinterlock.certificate.PairReading.Unusable;
import dev.gitopsinterlock.certificate.PairReading.Usable;
import dev.gitopsinterlock.config.Settings;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.tls.KeyStoreAndKeyCertOptions;
import io.quarkus.tls.KeyStoreProvider;
import io.smallrye.common.annotation.Identifier;
import io.vertx.core.Vertx;
import io.vertx.core.net.KeyCertOptions;
import jakarta.inject.Singleton;
import java.security.KeyStore;
import java.time.Clock;
import java.util.Locale;
import org.jboss.logging.Logger;

/**
 * Gives the HTTPS server a key manager that swaps, in place of the TLS registry's own reloading, which drops
 * connections at every look and serves a pair that does not fit.
 */
@Singleton
@Identifier("webhook")
public final class WebhookKeyStore implements KeyStoreProvider {

    private static final Logger LOG = Logger.getLogger(WebhookKeyStore.class);

    private final Settings settings;
    private final MeterRegistry metrics;

    WebhookKeyStore(Settings settings, MeterRegistry metrics) {
        this.settings = settings;
        this.metrics = metrics;
    }

    /** Called once, before the port opens. */
    @Override
    public KeyStoreAndKeyCertOptions getKeyStore(Vertx vertx) {
        var files = new PairFiles(settings.certificates(), Clock.systemUTC(), vertx);
        var served = new SwappingKeyManager(first(files.read()));
        var rotation = new CertificateRotation(files::read, served);
        measure(served, rotation);
        vertx.setPeriodic(
                settings.certificatePoll().toMillis(),
                timer -> vertx.executeBlocking(() -> {
                            rotation.refresh();
                            return true;
                        })
                        .onFailure(e -> LOG.error("looking at the serving certificate failed", e)));
        return new KeyStoreAndKeyCertOptions(emptyKeyStore(), KeyCertOptions.wrap(served));
    }

    /** The start-up checks have looked already, so only files that change in this very moment are unusable. */
    private static ServingPair first(PairReading reading) {
        return switch (reading) {
            case Usable(var pair) -> pair;
            case OutOfTime(var pair, var reason, var detail) -> pair;
            case Unusable(var reason, var detail) -> throw new ConfigurationException(detail);
        };
    }

    private void measure(SwappingKeyManager served, CertificateRotation rotation) {
        Gauge.builder(
                        "gitops.interlock.certificate.not.after.seconds",
                        () -> served.pair().notAfter().getEpochSecond())
                .description("When the serving certificate expires, in seconds since 1970")
                .strongReference(true)
                .register(metrics);
        for (var reason : Reason.values()) {
            Gauge.builder(
                            "gitops.interlock.certificate.rejected",
                            () -> rotation.complaint()
                                    .filter(reason::equals)
                                    .map(r -> 1)
                                    .orElse(0))
                    .description("1 while the certificate in the files cannot be served, by reason")
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .strongReference(true)
                    .register(metrics);
        }
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
