package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.certificate.PairReading.Reason;
import dev.gitopsinterlock.certificate.WebhookKeyStore;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.ProcessClock;
import dev.gitopsinterlock.cluster.cache.ClusterWatch;
import dev.gitopsinterlock.cluster.cache.NamespaceAnnotations;
import dev.gitopsinterlock.cluster.effect.ReplacementIdentity;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.gate.HoldMemory;
import dev.gitopsinterlock.policy.BreakGlass;
import dev.gitopsinterlock.status.Facts;
import dev.gitopsinterlock.status.HeldRollout;
import dev.gitopsinterlock.status.InstalledPolicy;
import dev.gitopsinterlock.status.RecentReviews;
import io.smallrye.common.annotation.Identifier;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Collects from all over the service what the status page shows. Asks nobody outside. */
@Singleton
final class StatusFacts {

    private final Settings settings;
    private final ProcessClock clock;
    private final RecentReviews reviews;
    private final HoldMemory holds;
    private final ClusterWatch cluster;
    private final NamespaceAnnotations namespaces;
    private final BreakGlass breakGlass;
    private final ReplacementIdentity replacement;
    private final WebhookKeyStore certificate;
    private final KubernetesApi api;
    private final String version;
    private final String host;
    private final Instant started;

    StatusFacts(
            Settings settings,
            ProcessClock clock,
            RecentReviews reviews,
            HoldMemory holds,
            ClusterWatch cluster,
            NamespaceAnnotations namespaces,
            BreakGlass breakGlass,
            ReplacementIdentity replacement,
            @Identifier("webhook") WebhookKeyStore certificate,
            KubernetesApi api,
            @ConfigProperty(name = "quarkus.application.version") String version,
            @ConfigProperty(name = "hostname", defaultValue = "without a name") String host) {
        this.settings = settings;
        this.clock = clock;
        this.reviews = reviews;
        this.holds = holds;
        this.cluster = cluster;
        this.namespaces = namespaces;
        this.breakGlass = breakGlass;
        this.replacement = replacement;
        this.certificate = certificate;
        this.api = api;
        this.version = version;
        this.host = host;
        this.started = clock.now();
    }

    @Produces
    @Singleton
    static RecentReviews reviews() {
        return new RecentReviews();
    }

    /** The facts of this moment. */
    Facts now() {
        var now = clock.now();
        return new Facts(
                now,
                new Facts.Replica(host, api.ownNamespace(), version, started),
                new InstalledPolicy(true, settings.levels(), settings.objectLevels(), settings.gate()),
                replacement.known(),
                certificate(),
                new Facts.Cluster(
                        Stream.concat(Stream.of(namespaces.state()), cluster.caches().stream())
                                .toList(),
                        namespaces.all(),
                        breakGlass.isOn("")),
                HeldRollout.in(holds, now),
                reviews.snapshot());
    }

    private Facts.Certificate certificate() {
        var rotation = certificate.rotation();
        var served = rotation.served();
        return new Facts.Certificate(
                settings.selfManaged()
                        .map(kept -> "Secret %s, kept by the service".formatted(kept.secret()))
                        .orElseGet(() -> "files in " + settings.certificates()),
                served.serial(),
                served.notBefore(),
                served.notAfter(),
                rotation.complaint().map(Reason::name));
    }
}
