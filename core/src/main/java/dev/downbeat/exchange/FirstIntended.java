package dev.downbeat.exchange;

import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Remembers when the first request of a run was meant to start, for those who freeze a service meanwhile. Thread-safe. */
public final class FirstIntended implements ObservedTarget.Observer {
    private final CountDownLatch seen = new CountDownLatch(1);
    private volatile long intendedAt;

    @Override
    public void sends(Exchange exchange) {
        if (exchange.index == 0) {
            intendedAt = exchange.intendedAt;
            seen.countDown();
        }
    }

    /** Waits for the first request: when it was meant to start, by the run's clock; empty if none came within the time. */
    public OptionalLong await(long timeout, TimeUnit unit) throws InterruptedException {
        return seen.await(timeout, unit) ? OptionalLong.of(intendedAt) : OptionalLong.empty();
    }
}
