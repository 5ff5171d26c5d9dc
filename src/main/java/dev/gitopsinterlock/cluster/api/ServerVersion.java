package dev.gitopsinterlock.cluster.api;

import dev.gitopsinterlock.immutability.KubernetesVersion;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Which version of Kubernetes the API server is of: asked at the start, and again now and then. Thread-safe. */
@Singleton
public final class ServerVersion {

    private static final Logger LOG = Logger.getLogger(ServerVersion.class);
    private static final Duration UNTIL_KNOWN = Duration.ofSeconds(10);

    /** An API server is upgraded while we run. */
    private static final Duration AGAIN = Duration.ofMinutes(10);

    private final KubernetesApi api;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("server-version").factory());
    private volatile int minor;

    ServerVersion(KubernetesApi api) {
        this.api = api;
    }

    /** 37 of 1.37; 0 as long as it is not known. */
    public int minor() {
        return minor;
    }

    void start(@Observes StartupEvent event) {
        clock.execute(this::ask);
    }

    void stop(@Observes ShutdownEvent event) {
        clock.shutdownNow();
    }

    private void ask() {
        try {
            var answer = api.get("/version", KubernetesApi.PATIENCE);
            if (answer.isSuccess()) {
                minor = KubernetesVersion.minor(answer.body()).orElse(0);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("the API server's version is not known", e);
        }
        var pause = minor == 0 ? UNTIL_KNOWN : AGAIN;
        var _ = clock.schedule(this::ask, pause.toMillis(), TimeUnit.MILLISECONDS);
    }
}
