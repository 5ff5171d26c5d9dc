package dev.gitopsinterlock.webhook;

import io.netty.channel.Channel;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/** The JDK's TLS, as without this; tells of each connection whose handshake is done. Nothing else in Vert.x does. */
final class WatchedTls extends JdkSSLEngineOptions {

    private final Consumer<Channel> connected;

    WatchedTls(Consumer<Channel> connected) {
        this.connected = connected;
    }

    @Override
    public WatchedTls copy() {
        var copy = new WatchedTls(connected);
        copy.setPooledHeapBuffers(isPooledHeapBuffers());
        copy.setUseWorkerThread(getUseWorkerThread());
        return copy;
    }

    @Override
    public SslContextFactory sslContextFactory() {
        return new WatchedFactory(super.sslContextFactory());
    }

    private final class WatchedFactory implements SslContextFactory {

        private final SslContextFactory wrapped;

        WatchedFactory(SslContextFactory wrapped) {
            this.wrapped = wrapped;
        }

        @Override
        public SslContext create() throws SSLException {
            return new WatchedContext(wrapped.create());
        }

        @Override
        public SslContextFactory useAlpn(boolean use) {
            wrapped.useAlpn(use);
            return this;
        }

        @Override
        public SslContextFactory clientAuth(ClientAuth clientAuth) {
            wrapped.clientAuth(clientAuth);
            return this;
        }

        @Override
        public SslContextFactory forClient(boolean client) {
            wrapped.forClient(client);
            return this;
        }

        @Override
        public SslContextFactory keyMananagerFactory(KeyManagerFactory factory) {
            wrapped.keyMananagerFactory(factory);
            return this;
        }

        @Override
        public SslContextFactory trustManagerFactory(TrustManagerFactory factory) {
            wrapped.trustManagerFactory(factory);
            return this;
        }

        @Override
        public SslContextFactory enabledCipherSuites(Set<String> suites) {
            wrapped.enabledCipherSuites(suites);
            return this;
        }

        @Override
        public SslContextFactory applicationProtocols(List<String> protocols) {
            wrapped.applicationProtocols(protocols);
            return this;
        }

        @Override
        public SslContextFactory serverName(String name) {
            wrapped.serverName(name);
            return this;
        }
    }

    private final class WatchedContext extends DelegatingSslContext {

        WatchedContext(SslContext wrapped) {
            super(wrapped);
        }

        @Override
        protected void initEngine(SSLEngine engine) {}

        @Override
        protected void initHandler(SslHandler handler) {
            handler.handshakeFuture().addListener((Future<Channel> handshake) -> {
                if (handshake.isSuccess()) {
                    connected.accept(handshake.getNow());
                }
            });
        }
    }
}
