package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

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

    /** Whether an ASCII word is anywhere in it, as it is. Looks at few of the bytes. */
    boolean mentions(String word) {
        flush();
        var searched = word.getBytes(US_ASCII);
        var overlap = searched.length - 1;
        var seam = NONE;
        for (var piece : pieces) {
            // the end of what came before, and as much of this piece as a word could go on into
            var head = Math.min(overlap, piece.length);
            var around = Arrays.copyOf(seam, seam.length + head);
            System.arraycopy(piece, 0, around, seam.length, head);
            if (contains(around, searched) || contains(piece, searched)) {
                return true;
            }
            seam = piece.length >= overlap
                    ? Arrays.copyOfRange(piece, piece.length - overlap, piece.length)
                    : Arrays.copyOfRange(around, Math.max(0, around.length - overlap), around.length);
        }
        return false;
    }

    /** By Horspool: behind a byte that the word does not have there is nothing for a word's length. */
    private static boolean contains(byte[] text, byte[] word) {
        var last = word.length - 1;
        var steps = new int[256];
        Arrays.fill(steps, word.length);
        for (int at = 0; at < last; at++) {
            steps[word[at] & 0xff] = last - at;
        }
        for (int end = last; end < text.length; end += steps[text[end] & 0xff]) {
            if (Arrays.equals(text, end - last, end + 1, word, 0, word.length)) {
                return true;
            }
        }
        return false;
    }

    /** Nobody needs it any more. */
    void release() {
        pieces.clear();
        joined = NONE;
        onRelease.run();
    }
}
