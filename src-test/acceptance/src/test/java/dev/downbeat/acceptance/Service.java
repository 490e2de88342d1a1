package dev.downbeat.acceptance;

import dev.downbeat.loopback.LoopbackProcess;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Observes a test from the service's side, which knows when the process under test sends its first request. */
final class Service {
    private static final long POLL_NANOS = 1_000_000;
    private static final long LONGEST_START_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Service() {}

    /** Waits for the first request; returns an instant shortly after it. */
    static long firstRequestAt(LoopbackProcess server) throws IOException {
        long startedAt = System.nanoTime();
        while (server.stats().requestsReceived() == 0) {
            if (System.nanoTime() - startedAt > LONGEST_START_NANOS) {
                throw new AssertionError("no request arrived");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return System.nanoTime();
    }
}
