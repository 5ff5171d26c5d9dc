package dev.gitopsinterlock.webhook;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.Future;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.DefaultSslContextFactory;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS by BoringSSL or by the JDK, as without this but for trust managers of the JDK's that want to see resumed sessions, of
 * which we have none; tells of each connection's handshake, which nothing else in Vert.x does.
 */
final class WatchedTls extends JdkSSLEngineOptions {

    private final Watcher watcher;
    private final boolean byBoringSsl;

    /**
     * Connects nobody yet.
     *
     * @param byBoringSsl only where its library is loaded
     */
    WatchedTls(Watcher watcher, boolean byBoringSsl) {
        this.watcher = watcher;
        this.byBoringSsl = byBoringSsl;
    }

    /** Is told by the connection's own thread. */
    interface Watcher {

        /**
         * Somebody connects, of whom nothing was read yet.
         *
         * @return what to call when the handshake has ended, or the connection with it
         */
        Runnable connects(Channel channel);

        /** The handshake is done. */
        void isConnected(Channel channel);
    }

    @Override
    public WatchedTls copy() {
        var copy = new WatchedTls(watcher, byBoringSsl);
        copy.setPooledHeapBuffers(isPooledHeapBuffers());
        copy.setUseWorkerThread(getUseWorkerThread());
        return copy;
    }

    @Override
    public SslContextFactory sslContextFactory() {
        return new WatchedFactory(
                byBoringSsl ? new DefaultSslContextFactory(SslProvider.OPENSSL, false) : super.sslContextFactory());
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

        private final SslContext wrapped;

        WatchedContext(SslContext wrapped) {
            super(wrapped);
            this.wrapped = wrapped;
        }

        @Override
        protected void initEngine(SSLEngine engine) {}

        /** Of handlers that we did not make; Vert.x always gives an executor. */
        @Override
        protected void initHandler(SslHandler handler) {
            throw new IllegalStateException("a connection that nobody watches");
        }

        @Override
        protected SslHandler newHandler(ByteBufAllocator memory, boolean startTls, Executor executor) {
            return watched(wrapped.newHandler(memory, executor), startTls, executor);
        }

        @Override
        protected SslHandler newHandler(
                ByteBufAllocator memory, String peerHost, int peerPort, boolean startTls, Executor executor) {
            return watched(wrapped.newHandler(memory, peerHost, peerPort, executor), startTls, executor);
        }

        /** With the engine that Netty makes for handlers of its own: BoringSSL's then reads many records at once. */
        private SslHandler watched(SslHandler handler, boolean startTls, Executor executor) {
            return new WatchedHandler(handler.engine(), startTls, executor);
        }
    }

    private final class WatchedHandler extends SslHandler {

        WatchedHandler(SSLEngine engine, boolean startTls, Executor executor) {
            super(engine, startTls, executor);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) throws Exception {
            var ended = watcher.connects(context.channel());
            handshakeFuture().addListener((Future<Channel> handshake) -> {
                ended.run();
                if (handshake.isSuccess()) {
                    watcher.isConnected(handshake.getNow());
                }
            });
            super.handlerAdded(context);
        }
    }
}
