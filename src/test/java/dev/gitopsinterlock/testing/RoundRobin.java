package dev.gitopsinterlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One address of several replicas, as a Service is: each connection goes to the next of them. */
public final class RoundRobin implements AutoCloseable {

    private final ServerSocket listener;
    private final List<Interlock> replicas;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private RoundRobin(ServerSocket listener, List<Interlock> replicas) {
        this.listener = listener;
        this.replicas = replicas;
    }

    public static RoundRobin over(Interlock... replicas) {
        try {
            var balancer = new RoundRobin(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), List.of(replicas));
            balancer.threads.execute(balancer::accept);
            return balancer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "https://127.0.0.1:" + listener.getLocalPort();
    }

    private void accept() {
        for (int i = 0; !listener.isClosed(); i++) {
            try {
                var client = listener.accept();
                var replica = new Socket(
                        InetAddress.getLoopbackAddress(),
                        replicas.get(i % replicas.size()).port());
                threads.execute(() -> pump(client, replica));
                threads.execute(() -> pump(replica, client));
            } catch (IOException e) {
                // closed, or a replica is away: its clients see no answer
            }
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // one side has closed; now both have
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
