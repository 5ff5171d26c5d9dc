package dev.gitopsinterlock.webhook;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A part of the heap that reviews take their trees' room from, before they are read. In KiB. Thread-safe, fair. */
final class HeapShare {

    private static final long KIBI = 1024;

    private final int size;
    private final Semaphore free;

    /**
     * A part of this size.
     *
     * @param bytes its size
     */
    HeapShare(long bytes) {
        this.size = kibi(bytes);
        this.free = new Semaphore(size, true);
    }

    /** Room that was taken. For one thread at a time. */
    final class Lease {

        private int taken;

        private Lease(int taken) {
            this.taken = taken;
        }

        /** Gives back what is more than these bytes; never takes more. */
        void shrinkTo(long bytes) {
            var rest = Math.min(taken, kibi(bytes));
            free.release(taken - rest);
            taken = rest;
        }

        void release() {
            shrinkTo(0);
        }
    }

    long size() {
        return size * KIBI;
    }

    long taken() {
        return (size - free.availablePermits()) * KIBI;
    }

    /** Room for these bytes, if there is that much now. */
    Optional<Lease> tryTake(long bytes) {
        var kibi = kibi(bytes);
        return free.tryAcquire(kibi) ? Optional.of(new Lease(kibi)) : Optional.empty();
    }

    /** Takes a share, once there is that much. */
    Optional<Lease> take(long bytes, Duration patience) {
        var kibi = kibi(bytes);
        try {
            return free.tryAcquire(kibi, Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS)
                    ? Optional.of(new Lease(kibi))
                    : Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static int kibi(long bytes) {
        return Math.toIntExact((bytes + KIBI - 1) / KIBI);
    }
}
