package dev.gitopsinterlock.testing.run;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of 127.0.0.1. */
public final class Ports {

    /** Below those that Linux gives to connections, one of which could else take the port of a service between two starts. */
    private static final int FIRST = 15_000;

    private static final int LAST = 30_000;

    private static final int ATTEMPTS = 1_000;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Ports() {}

    /** One that is free now; that no other program asks for it in between cannot be promised. */
    public static int free() {
        IOException taken = new IOException("nothing tried");
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (!GIVEN.add(port)) {
                continue;
            }
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                taken = e;
            }
        }
        throw new IllegalStateException("no port of 127.0.0.1 is free", taken);
    }
}
