package dev.gitopsinterlock.testing.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One address of several replicas, as a Service is: each connection goes to the next of those that are in it. */
public final class RoundRobin implements AutoCloseable {

    private final ServerSocket listener;
    private final List<Interlock> replicas = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private RoundRobin(ServerSocket listener) {
        this.listener = listener;
    }

    public static RoundRobin over(Interlock... replicas) {
        try {
            var balancer = new RoundRobin(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            balancer.replicas.addAll(List.of(replicas));
            balancer.threads.execute(balancer::accept);
            return balancer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String url() {
        return "https://127.0.0.1:" + listener.getLocalPort();
    }

    /** New connections go to this replica too. */
    public void add(Interlock replica) {
        replicas.add(replica);
    }

    /** New connections no longer go to this replica; those that it has go on. */
    public void remove(Interlock replica) {
        replicas.remove(replica);
    }

    private void accept() {
        for (int i = 0; !listener.isClosed(); i++) {
            try {
                connect(listener.accept(), i);
            } catch (IOException e) {
                // closed
            }
        }
    }

    private void connect(Socket client, int number) throws IOException {
        try {
            var ready = List.copyOf(replicas);
            if (ready.isEmpty()) {
                client.close();
                return;
            }
            var replica = new Socket(
                    InetAddress.getLoopbackAddress(),
                    ready.get(number % ready.size()).port());
            threads.execute(() -> pump(client, replica));
            threads.execute(() -> pump(replica, client));
        } catch (ConnectException e) {
            client.close(); // nobody there: refused, as the client would be
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
