package dev.downbeat.http.requests.value;

import dev.downbeat.arrival.SplitMix64;
import dev.downbeat.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * What the values of one request are drawn from: which request it is, chance, and what its session knows. The same seed
 * gives the same values. Used again for each request; not thread-safe.
 */
public final class Draw {
    private final long seed;
    private long state;
    private long session;
    private @Nullable SessionState known;

    public Draw(long seed) {
        this.seed = seed;
    }

    /** Begins with another request. */
    public void begin(Exchange exchange, @Nullable SessionState of) {
        state = SplitMix64.mix(seed + SplitMix64.mix(exchange.index + SplitMix64.STEP));
        session = exchange.session;
        known = of;
    }

    /** Which session it belongs to; the request's own number in a mix. */
    long session() {
        return session;
    }

    /** What its session knows; null in a mix. */
    public @Nullable SessionState known() {
        return known;
    }

    /** A number that is the same throughout the session, of a kind of its own. */
    long ofSession(long kind) {
        return SplitMix64.mix(SplitMix64.mix(seed ^ kind) + session) >>> 1;
    }

    long nextLong() {
        state += SplitMix64.STEP;
        return SplitMix64.mix(state);
    }

    /** From 0 to below the bound. */
    long below(long bound) {
        return Long.remainderUnsigned(nextLong() >>> 1, bound);
    }
}
