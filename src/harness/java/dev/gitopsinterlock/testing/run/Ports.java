package dev.gitopsinterlock.testing.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/** Ports of 127.0.0.1. */
public final class Ports {

    private Ports() {}

    /** One that is free now; that nobody takes it in between cannot be promised. */
    public static int free() {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
