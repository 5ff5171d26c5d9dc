package dev.gitopsinterlock.certificate;

import dev.gitopsinterlock.config.ConfigProblem;
import dev.gitopsinterlock.config.Setting;
import dev.gitopsinterlock.config.Settings;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.TrustOptions;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;

/**
 * Where the settings say so, nobody gets through the webhook's handshake without a client certificate. Quarkus' own
 * switch for that is thrown when the service is built. Health and metrics have a port of their own and stay open.
 */
@Singleton
final class ClientCertificates implements HttpServerOptionsCustomizer {

    private final Settings settings;
    private volatile Optional<ClientTrustManager> known = Optional.empty();

    ClientCertificates(Settings settings) {
        this.settings = settings;
    }

    /**
     * Reads the CA certificates, before the port opens. To let anybody in without them would be worse than not to start.
     *
     * @return what keeps the service from starting
     */
    Optional<ConfigProblem> read(Vertx vertx) {
        try {
            if (settings.authentication().callers().isPresent()) {
                var callers = settings.authentication().callers().get();
                known = Optional.of(new ClientTrustManager(callers.authorities(), callers.names(), vertx));
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(ConfigProblem.severe(
                    Setting.PREFIX + "client-certificates.ca-file",
                    "is no file with CA certificates as PEM: "
                            + settings.authentication().callers().get().authorities()));
        }
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        known.ifPresent(
                callers -> options.setClientAuth(ClientAuth.REQUIRED).setTrustOptions(TrustOptions.wrap(callers)));
    }
}
