package dev.gitopsinterlock.testing.service;

import io.fabric8.kubernetes.client.internal.CertUtils;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** A TLS client that trusts anybody, to look at what a server on this machine does. */
public final class Tls {

    private static final SSLContext TRUSTING = trusting();

    private Tls() {}

    public static SSLContext context() {
        return TRUSTING;
    }

    /** For a server with the tls.crt and tls.key of the folder. */
    public static SSLContext server(Path certificates) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(keys(certificates), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KeyManager[] keys(Path certificates) {
        try {
            var keys = CertUtils.createKeyStore(
                    null,
                    certificates.resolve("tls.crt").toString(),
                    null,
                    certificates.resolve("tls.key").toString(),
                    "EC",
                    "changeit",
                    null,
                    "changeit");
            var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(keys, "changeit".toCharArray());
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What a client begins its handshake with. */
    public static byte[] clientHello() throws SSLException {
        var engine = TRUSTING.createSSLEngine();
        engine.setUseClientMode(true);
        var message = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), message);
        return Arrays.copyOf(message.array(), message.position());
    }

    /** An open connection after its handshake. */
    public static SSLSocket connect(int port, String... protocols) throws IOException {
        return connect(InetAddress.getLoopbackAddress(), port, protocols);
    }

    /** From another machine, as far as whoever is connected to can tell: any address that begins with 127. */
    public static SSLSocket connect(InetAddress from, int port, String... protocols) throws IOException {
        var socket =
                (SSLSocket) TRUSTING.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port, from, 0);
        try {
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            socket.startHandshake();
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Whether the other side has closed a connection, with or without TLS, on which nothing more is to come in. */
    public static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** The leaf that a new connection is served. */
    public static X509Certificate served(int port) throws IOException {
        try (var socket = connect(port)) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    private static SSLContext trusting() {
        return trusting(null);
    }

    /** For a client that shows the certificate of tls.crt and tls.key in the folder. */
    public static SSLContext client(Path certificates) {
        return trusting(keys(certificates));
    }

    private static SSLContext trusting(KeyManager @Nullable [] shown) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(shown, new TrustManager[] {new TrustAnybody()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class TrustAnybody extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
