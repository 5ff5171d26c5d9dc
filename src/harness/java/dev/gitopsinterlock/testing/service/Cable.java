package dev.gitopsinterlock.testing.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A way to a server of 127.0.0.1 that can be cut, blocked, and mended. What goes through is not looked at. */
public final class Cable implements AutoCloseable {

    private final ServerSocket listener;
    private final int port;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile State state = State.WHOLE;

    private enum State {
        WHOLE,
        /** Connections are ended at once. */
        CUT,
        /** Connections stay, and nothing arrives. */
        BLOCKED
    }

    private Cable(ServerSocket listener, int port) {
        this.listener = listener;
        this.port = port;
    }

    public static Cable to(String url) {
        try {
            var cable = new Cable(
                    new ServerSocket(0, 50, InetAddress.getLoopbackAddress()),
                    URI.create(url).getPort());
            cable.threads.execute(cable::accept);
            return cable;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "https://127.0.0.1:" + listener.getLocalPort();
    }

    public void cut() {
        state = State.CUT;
        sockets.forEach(Cable::close);
    }

    public void block() {
        state = State.BLOCKED;
    }

    /** What was held up is lost, as behind a firewall that has forgotten its connections. */
    public void mend() {
        sockets.forEach(Cable::close);
        state = State.WHOLE;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                var client = listener.accept();
                if (state == State.CUT) {
                    close(client);
                    continue;
                }
                var server = new Socket(InetAddress.getLoopbackAddress(), port);
                sockets.add(client);
                sockets.add(server);
                threads.execute(() -> pump(client, server));
                threads.execute(() -> pump(server, client));
            } catch (IOException e) {
                // closed, or the server is away: the client sees no answer
            }
        }
    }

    private void pump(Socket from, Socket to) {
        var buffer = new byte[8192];
        try (from;
                to) {
            for (int count; (count = from.getInputStream().read(buffer)) >= 0; ) {
                if (state == State.WHOLE) {
                    to.getOutputStream().write(buffer, 0, count);
                }
            }
        } catch (IOException e) {
            // one side has closed; now both have
        }
        sockets.remove(from);
        sockets.remove(to);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone either way
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sockets.forEach(Cable::close);
        threads.shutdownNow();
    }
}
