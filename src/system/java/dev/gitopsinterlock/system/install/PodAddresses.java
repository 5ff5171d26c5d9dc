package dev.gitopsinterlock.system.install;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The last bytes of the Pod network's addresses, each given once. Two test processes share a network: each has a half of its
 * own.
 */
final class PodAddresses {

    private static final int FIRST = 10;
    private static final int HALF = 120;

    private final int end;
    private final AtomicInteger next;

    private PodAddresses(int first) {
        next = new AtomicInteger(first);
        end = first + HALF;
    }

    /** Of this test process, which the build numbers. */
    static PodAddresses ofThisProcess() {
        return new PodAddresses(FIRST + HALF * ((Integer.getInteger("fork", 1) - 1) % 2));
    }

    int next() {
        var number = next.getAndIncrement();
        if (number >= end) {
            throw new IllegalStateException("this test process has given out all addresses of Pods: " + HALF);
        }
        return number;
    }
}
