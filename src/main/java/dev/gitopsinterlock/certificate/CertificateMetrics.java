package dev.gitopsinterlock.certificate;

import dev.gitopsinterlock.certificate.PairReading.Reason;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.smallrye.common.annotation.Identifier;
import jakarta.inject.Singleton;
import java.util.Locale;

/** What to alert on: the end of the certificate that serves, and files that it cannot be renewed from. */
@Singleton
final class CertificateMetrics implements MeterBinder {

    private final WebhookKeyStore keyStore;

    CertificateMetrics(@Identifier("webhook") WebhookKeyStore keyStore) {
        this.keyStore = keyStore;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder(
                        "gitops.interlock.certificate.expiration.timestamp.seconds",
                        () -> keyStore.rotation().served().notAfter().getEpochSecond())
                .description("When the serving certificate expires, in seconds since 1970")
                .register(registry);
        for (var reason : Reason.values()) {
            Gauge.builder("gitops.interlock.certificate.rejected", () -> isComplaint(reason) ? 1 : 0)
                    .description("1 while the certificate in the files is not fit to be served, by reason")
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    private boolean isComplaint(Reason reason) {
        return keyStore.rotation().complaint().filter(reason::equals).isPresent();
    }
}
