package dev.gitopsinterlock.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;

class SwappingKeyManagerTest {

    private static final ServingCertificate FIRST = Pairs.rsa();
    private static final ServingCertificate SECOND = Pairs.rsa();

    private final SwappingKeyManager manager = new SwappingKeyManager(FIRST);

    @Test
    void handshakeGetsTheServedPair() throws Exception {
        var alias = alias("RSA");

        assertThat(manager.getPrivateKey(alias)).isSameAs(FIRST.key());
        assertThat(manager.getCertificateChain(alias)).containsExactly(FIRST.leaf());
    }

    @Test
    void handshakeAfterASwapGetsTheNewPair() throws Exception {
        manager.swap(SECOND);

        assertThat(manager.pair()).isEqualTo(SECOND);
        assertThat(manager.getCertificateChain(alias("RSA"))).containsExactly(SECOND.leaf());
    }

    @Test
    void handshakeThatBeganBeforeASwapEndsWithItsPair() throws Exception {
        var before = alias("RSA");
        manager.swap(SECOND);

        assertThat(manager.getPrivateKey(before)).isSameAs(FIRST.key());
        assertThat(manager.getCertificateChain(before)).containsExactly(FIRST.leaf());
    }

    @Test
    void pairBeforeThePreviousIsForgotten() throws Exception {
        var oldest = alias("RSA");
        manager.swap(SECOND);
        manager.swap(Pairs.rsa());

        assertThat(manager.getPrivateKey(oldest)).isNull();
        assertThat(manager.getCertificateChain(oldest)).isNull();
    }

    @Test
    void keyTypeThatThePairIsNotGetsNone() throws Exception {
        assertThat(manager.chooseEngineServerAlias("EC", null, engine())).isNull();
        assertThat(manager.chooseServerAlias("EC", null, new Socket())).isNull();
        assertThat(manager.getServerAliases("EC", null)).isNull();
    }

    @Test
    void keyTypeMayChangeWithASwap() throws Exception {
        manager.swap(Pairs.ec());

        assertThat(manager.chooseEngineServerAlias("RSA", null, engine())).isNull();
        assertThat(alias("EC")).isEqualTo(Objects.requireNonNull(manager.getServerAliases("EC", null))[0]);
    }

    @Test
    void serverHasNoClientsAlias() {
        assertThat(manager.chooseClientAlias(new String[] {"RSA"}, null, new Socket()))
                .isNull();
        assertThat(manager.getClientAliases("RSA", null)).isNull();
    }

    private String alias(String keyType) throws Exception {
        return Objects.requireNonNull(manager.chooseEngineServerAlias(keyType, null, engine()));
    }

    private static SSLEngine engine() throws Exception {
        return SSLContext.getDefault().createSSLEngine();
    }
}
