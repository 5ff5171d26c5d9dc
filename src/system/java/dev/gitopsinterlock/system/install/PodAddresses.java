package dev.gitopsinterlock.system.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * The last bytes of the Pod network's addresses, each given once, also where several test processes share the network: an
 * address belongs to who listens at a port of it that no Pod uses. Thread-safe.
 */
final class PodAddresses {

    private static final int FIRST = 10;
    private static final int LAST = 250;
    private static final int PORT_OF_NO_POD = 20_000;

    private final String network;
    private final List<ServerSocket> claims = new ArrayList<>();
    private int next = FIRST;

    /** The first three bytes, with the dot behind them. */
    PodAddresses(String network) {
        this.network = network;
    }

    /** For good, as far as this process goes. */
    synchronized int next() {
        while (next <= LAST) {
            var number = next++;
            try {
                claims.add(new ServerSocket(PORT_OF_NO_POD, 1, InetAddress.getByName(network + number)));
                return number;
            } catch (BindException e) {
                // another process has it
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("all addresses of Pods are given out");
    }
}
