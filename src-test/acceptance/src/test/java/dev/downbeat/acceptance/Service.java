package dev.downbeat.acceptance;

import dev.downbeat.loopback.LoopbackProcess;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Looks at a test from the service's side, which knows when a process that we did not write has begun to ask. */
final class Service {
    private static final long LOOK_NANOS = 1_000_000;
    private static final long LONGEST_START_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Service() {}

    /** Waits for the first request; when it had come, at the latest. */
    static long firstRequestAt(LoopbackProcess server) throws IOException {
        long startedAt = System.nanoTime();
        while (server.stats().requestsReceived() == 0) {
            if (System.nanoTime() - startedAt > LONGEST_START_NANOS) {
                throw new AssertionError("no request came");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return System.nanoTime();
    }
}
