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
    private final ThreadLocal<@Nullable Long> supposed = new ThreadLocal<>();

    /** The number of threads that pretend: Gatling reads the clock several times a request, and few loops are asked. */
    private final AtomicInteger supposing = new AtomicInteger();

    OverridableClock(Clock actual) {
        this.actual = actual;
    }

    @Override
    public long nowMillis() {
        Long millis = supposing.get() == 0 ? null : supposed.get();
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

    <T> T supposing(long at, Supplier<T> question) {
        supposed.set(millisAt(at));
        supposing.incrementAndGet();
        try {
            return question.get();
        } finally {
            supposing.decrementAndGet();
            supposed.remove();
        }
    }
}
