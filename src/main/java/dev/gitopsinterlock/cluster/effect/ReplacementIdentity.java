package dev.gitopsinterlock.cluster.effect;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cluster.api.Identity;
import dev.gitopsinterlock.cluster.api.Identity.Header;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.config.Settings.ReplacementAs;
import dev.gitopsinterlock.policy.ReplacementScope;
import dev.gitopsinterlock.status.Facts.ReplacementState;
import dev.gitopsinterlock.tool.Requester;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.jboss.logging.Logger;

/**
 * In whose name edits are carried out: finds out at the start what the API server offers and our account may do, and
 * says so. Until that is known nothing is carried out. Thread-safe.
 *
 * <p>Found out by trying: as a service account that does not exist, a Job that is none, as a dry run. Whose right the
 * refusal is about tells whether impersonation works; the version of Kubernetes and its feature gates tell less.
 */
@Singleton
public final class ReplacementIdentity {

    private static final Logger LOG = Logger.getLogger(ReplacementIdentity.class);
    private static final Duration AGAIN = Duration.ofSeconds(5);
    private static final String NOBODY = "gitops-interlock-probe";

    private final KubernetesApi api;
    private final ReplacementScope replacement;
    private final ReplacementAs setting;
    private final boolean isProven;
    private final MeterRegistry metrics;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("replacement-identity").factory());
    private volatile Mode mode;

    /** What has been found out. */
    sealed interface Mode {

        /** For people: in the log and in readiness details. */
        String words();

        /** In the name of the requester. */
        record AsRequester() implements Mode {
            @Override
            public String words() {
                return "on, as the requester (impersonation)";
            }
        }

        /** In the name of our account, for requesters who have the rights, too. */
        record AsServiceAccount() implements Mode {
            @Override
            public String words() {
                return "on, as the service account; policies keyed on the user see this account";
            }
        }

        /**
         * Not at all.
         *
         * @param why in a few words
         */
        record Not(String why) implements Mode {
            @Override
            public String words() {
                return "off: " + why;
            }
        }
    }

    ReplacementIdentity(KubernetesApi api, Settings settings, MeterRegistry metrics) {
        this.api = api;
        this.replacement = settings.levels().replacement();
        this.isProven = settings.authentication().isConfigured();
        this.setting = settings.effects().as();
        this.metrics = metrics;
        this.mode = switch (replacement) {
            case ReplacementScope.Off(var why) -> new Mode.Not(why.words());
            case ReplacementScope.On on ->
                switch (setting) {
                    case REQUESTER -> new Mode.AsRequester();
                    case SERVICE_ACCOUNT -> new Mode.AsServiceAccount();
                    case AUTO -> new Mode.Not("not known yet in whose name, it has just started");
                };
        };
    }

    /** How that stands, for people. */
    public ReplacementState known() {
        return new ReplacementState(
                replacement instanceof ReplacementScope.On, !(mode instanceof Mode.Not), mode.words(), isProven);
    }

    /** Says whether Job edits are carried out, and in whose name. Always ready: without it edits are answered with advice. */
    @Produces
    @Readiness
    @Singleton
    HealthCheck readiness() {
        return () -> HealthCheckResponse.named("replacement")
                .up()
                .withData("mode", mode.words())
                .build();
    }

    Mode mode() {
        return mode;
    }

    /** In whose name this requester's edit is carried out, if it is. */
    Identity of(Requester requester) {
        return switch (mode) {
            case Mode.AsRequester() -> Identity.of(requester);
            case Mode.AsServiceAccount() -> Identity.OWN_ACCOUNT;
            case Mode.Not(var why) -> throw new IllegalStateException("asked for although off: " + why);
        };
    }

    void start(@Observes StartupEvent event) {
        gauge("requester", Mode.AsRequester.class);
        gauge("service_account", Mode.AsServiceAccount.class);
        gauge("nobody", Mode.Not.class);
        if (replacement instanceof ReplacementScope.On && setting == ReplacementAs.AUTO) {
            clock.execute(this::findOut);
        } else {
            LOG.infof("replacement is %s", mode.words());
        }
    }

    void stop(@Observes ShutdownEvent event) {
        clock.shutdownNow();
    }

    private void gauge(String as, Class<? extends Mode> kind) {
        Gauge.builder("gitops.interlock.replacement.identity", () -> kind.isInstance(mode) ? 1 : 0)
                .description("In whose name edits are carried out")
                .tag("as", as)
                .register(metrics);
    }

    /** Must not throw; asks again until it is known. */
    void findOut() {
        var found = tried();
        if (!found.equals(mode)) {
            mode = found;
            LOG.infof("replacement is %s", found.words());
        }
        if (found instanceof Mode.Not) {
            var _ = clock.schedule(this::findOut, AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private Mode tried() {
        try {
            var namespace = namespace();
            var nobody = "system:serviceaccount:%s:%s".formatted(namespace, NOBODY);
            var asNobody = new Identity.Impersonated(List.of(new Header("Impersonate-User", nobody)));
            var path = ResourceType.JOB.path(namespace) + "?dryRun=All";
            var answer = api.create(path, JsonNodeFactory.instance.objectNode(), asNobody, KubernetesApi.PATIENCE);
            if (answer.isUnclear() || answer.status() == 429 || answer.status() == 401) {
                return new Mode.Not("the API server answered with HTTP status " + answer.status());
            }
            if (answer.status() == 403 && answer.words().contains('"' + nobody + '"')) {
                return new Mode.AsRequester();
            }
            var mayCreate = AccessReviews.ofOwnAccount(
                            api, ResourceType.JOB, namespace, "create", KubernetesApi.PATIENCE)
                    .body()
                    .path("status")
                    .path("allowed")
                    .asBoolean();
            if (mayCreate) {
                // whoever was let through: it may have been our account, with the headers lost on the way
                return new Mode.AsServiceAccount();
            }
            return answer.status() != 403
                    ? new Mode.AsRequester()
                    : new Mode.Not(
                            "gitops-interlock's account may neither act as requesters nor create Jobs: check replacement.as");
        } catch (IOException | RuntimeException e) { // whatever it is, it is not known; and this must be asked again
            LOG.debug("no answer", e);
            return new Mode.Not("the API server does not answer");
        }
    }

    /** Where our account has its rights. */
    private String namespace() {
        return replacement instanceof ReplacementScope.On(var _, var namespaces) && !namespaces.isEmpty()
                ? namespaces.stream().sorted().findFirst().orElseThrow()
                : api.ownNamespace();
    }
}
