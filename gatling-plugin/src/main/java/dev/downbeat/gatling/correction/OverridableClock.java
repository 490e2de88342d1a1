package dev.downbeat.gatling.correction;

import io.gatling.commons.util.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gatling's clock, which can pretend to be at another instant. Evaluating a loop's condition then shows whether an
 * iteration was planned for that instant. Thread-safe: the pretence applies to its own thread only.
 */
final class OverridableClock implements Clock {
    private final Clock actual;
    private final ThreadLocal<@Nullable Long> override = new ThreadLocal<>();

    /** The number of threads with an override, so that usual reads, several per request, skip the thread-local. */
    private final AtomicInteger overriding = new AtomicInteger();

    OverridableClock(Clock actual) {
        this.actual = actual;
    }

    @Override
    public long nowMillis() {
        Long millis = overriding.get() == 0 ? null : override.get();
        return millis == null ? actual.nowMillis() : millis;
    }

    /** The value of Gatling's clock at a reading of {@link System#nanoTime}, past or future. */
    long millisAt(long at) {
        return actual.nowMillis() + Math.floorDiv(at - System.nanoTime(), 1_000_000L);
    }

    /** The reading of {@link System#nanoTime} at a millisecond of Gatling's clock. */
    long instantOf(long millis) {
        return System.nanoTime() - (actual.nowMillis() - millis) * 1_000_000;
    }

    <T> T callAt(long at, Supplier<T> action) {
        override.set(millisAt(at));
        overriding.incrementAndGet();
        try {
            return action.get();
        } finally {
            overriding.decrementAndGet();
            override.remove();
        }
    }
}
