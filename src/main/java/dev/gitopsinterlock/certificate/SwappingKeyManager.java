package dev.gitopsinterlock.certificate;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Serves one pair and lets it be replaced at any time, from any thread, without touching open connections. A
 * handshake that began with the previous pair ends with it: the pair is found again by its alias.
 */
public final class SwappingKeyManager extends X509ExtendedKeyManager {

    private record Generation(
            String alias, ServingCertificate pair, @Nullable Generation previous) {}

    private volatile Generation current;

    public SwappingKeyManager(ServingCertificate first) {
        current = new Generation("k1", first, null);
    }

    /** The pair that the next handshake gets. */
    public ServingCertificate pair() {
        return current.pair();
    }

    public synchronized void swap(ServingCertificate next) {
        var last = current;
        var number = Integer.parseInt(last.alias().substring(1)) + 1;
        current = new Generation("k" + number, next, new Generation(last.alias(), last.pair(), null));
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
        return alias(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal @Nullable [] issuers, Socket socket) {
        return alias(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        var alias = alias(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
        var generation = find(alias);
        return generation == null ? null : generation.pair().key();
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
        var generation = find(alias);
        return generation == null ? null : generation.pair().chain().toArray(X509Certificate[]::new);
    }

    /** This is a server: it has no client's alias. */
    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
        return null;
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return null;
    }

    private @Nullable String alias(String keyType) {
        var generation = current;
        var algorithm = generation.pair().key().getAlgorithm();
        return algorithm.equals(keyType) ? generation.alias() : null;
    }

    private @Nullable Generation find(String alias) {
        for (var generation = current; generation != null; generation = generation.previous()) {
            if (generation.alias().equals(alias)) {
                return generation;
            }
        }
        return null;
    }
}
