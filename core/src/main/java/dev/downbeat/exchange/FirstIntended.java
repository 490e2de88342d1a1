package dev.downbeat.exchange;

import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Remembers the intended start of the first request, for code that pauses a service during the run. Thread-safe. */
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

    /** Waits for the first request and returns its intended start on the run's clock; empty after the timeout. */
    public OptionalLong await(long timeout, TimeUnit unit) throws InterruptedException {
        return seen.await(timeout, unit) ? OptionalLong.of(intendedAt) : OptionalLong.empty();
    }
}
