package dev.gitopsinterlock.cluster.api;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The lines of an answer while it comes in: one thread brings its bytes, another one waits for the lines. */
final class LineQueue implements AsyncBody.Consumer<List<ByteBuffer>> {

    /** Each line, and nothing for the end. */
    private final BlockingQueue<Optional<byte[]>> lines = new LinkedBlockingQueue<>();

    private final ByteArrayOutputStream open = new ByteArrayOutputStream();

    /** Lets the body flow; the queue ends with it. */
    void follow(AsyncBody body) {
        var _ = body.done().whenComplete((end, failure) -> lines.add(Optional.empty()));
        body.consume();
    }

    @Override
    public void consume(List<ByteBuffer> chunks, AsyncBody body) {
        for (var chunk : chunks) {
            while (chunk.hasRemaining()) {
                var next = chunk.get();
                open.write(next);
                if (next == '\n') {
                    lines.add(Optional.of(open.toByteArray()));
                    open.reset();
                }
            }
        }
        body.consume();
    }

    /**
     * Waits for the next line.
     *
     * @param end of System.nanoTime
     * @return nothing once there is none, or the time is over
     */
    Optional<byte[]> next(long end) throws InterruptedException {
        var line = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        return line == null ? Optional.empty() : line;
    }
}
