package dev.gitopsinterlock.webhook;

import io.vertx.ext.web.RoutingContext;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;

/** The bytes of one request, in the pieces that they came in. For one thread at a time. */
final class Body {

    private static final String KEY = Body.class.getName();

    /** Pieces from here on are kept as they are; small ones, each of which would cost more than it holds, are joined. */
    private static final int LARGE = 4 * 1024;

    private static final byte[] NONE = {};

    private final long begun = System.nanoTime();
    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private byte[] joined = NONE;
    private int filled;
    private long length;
    private Runnable onRelease = () -> {};
    private boolean isTaken;

    static Body of(byte[] whole) {
        var body = new Body();
        body.add(whole);
        return body;
    }

    /**
     * That came with the request; it is read by the time that an endpoint is asked. Whoever asks for it releases it. To be
     * called on the request's own thread.
     */
    static Body of(RoutingContext request) {
        Body body = request.get(KEY);
        var taken = body == null ? new Body() : body;
        taken.isTaken = true;
        return taken;
    }

    /** Whether whoever took it still needs what it holds, also when nobody waits for the answer any more. */
    boolean isTaken() {
        return isTaken;
    }

    /** Read from here on. */
    static Body begin(RoutingContext request, Runnable onRelease) {
        var body = new Body();
        body.onRelease = onRelease;
        request.put(KEY, body);
        return body;
    }

    void add(byte[] piece) {
        length += piece.length;
        if (filled + piece.length > joined.length) {
            flush();
        }
        if (piece.length >= LARGE) {
            pieces.add(piece);
            return;
        }
        if (joined.length == 0) {
            joined = new byte[LARGE];
        }
        System.arraycopy(piece, 0, joined, filled, piece.length);
        filled += piece.length;
    }

    private void flush() {
        if (filled > 0) {
            pieces.add(Arrays.copyOf(joined, filled));
            joined = NONE;
            filled = 0;
        }
    }

    /** When it began to be read, by {@link System#nanoTime}. */
    long begun() {
        return begun;
    }

    long length() {
        return length;
    }

    InputStream stream() {
        flush();
        return new SequenceInputStream(Collections.enumeration(
                pieces.stream().map(ByteArrayInputStream::new).toList()));
    }

    /** Nobody needs it any more. */
    void release() {
        pieces.clear();
        joined = NONE;
        onRelease.run();
    }
}
