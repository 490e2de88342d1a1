package dev.downbeat.gatling.correction;

import io.gatling.commons.util.Clock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gatling's clock, which can be asked what it would show at another instant: so the condition of a loop tells whether an
 * iteration was planned for then. Thread-safe: a supposition holds for its own thread only.
 */
final class SuppositionClock implements Clock {
    private final Clock actual;
    private final ThreadLocal<@Nullable Long> supposed = new ThreadLocal<>();

    SuppositionClock(Clock actual) {
        this.actual = actual;
    }

    @Override
    public long nowMillis() {
        Long millis = supposed.get();
        return millis == null ? actual.nowMillis() : millis;
    }

    /** What Gatling's clock shows, or will show, at a reading of {@link System#nanoTime}. */
    long millisAt(long at) {
        return actual.nowMillis() + Math.floorDiv(at - System.nanoTime(), 1_000_000L);
    }

    /** The reading of {@link System#nanoTime} when Gatling's clock showed a millisecond. */
    long instantOf(long millis) {
        return System.nanoTime() - (actual.nowMillis() - millis) * 1_000_000;
    }

    <T> T supposing(long at, Supplier<T> question) {
        supposed.set(millisAt(at));
        try {
            return question.get();
        } finally {
            supposed.remove();
        }
    }
}
