package dev.downbeat.http.requests;

import dev.downbeat.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * What the values of one request are drawn from: which request it is, chance, and what its session knows. The same seed
 * gives the same values. Used again for each request; not thread-safe.
 */
final class Draw {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final long seed;
    private long state;
    private long session;
    private @Nullable SessionState known;

    Draw(long seed) {
        this.seed = seed;
    }

    /** Begins with another request. */
    void begin(Exchange exchange, @Nullable SessionState of) {
        state = mix(seed + mix(exchange.index + GOLDEN));
        session = exchange.session;
        known = of;
    }

    /** Which session it belongs to; the request's own number in a mix. */
    long session() {
        return session;
    }

    /** What its session knows; null in a mix. */
    @Nullable
    SessionState known() {
        return known;
    }

    /** A number that is the same throughout the session, of a kind of its own. */
    long ofSession(long kind) {
        return mix(mix(seed ^ kind) + session) >>> 1;
    }

    long nextLong() {
        state += GOLDEN;
        return mix(state);
    }

    /** From 0 to below the bound. */
    long below(long bound) {
        return Long.remainderUnsigned(nextLong() >>> 1, bound);
    }

    /** SplitMix64's finaliser (Steele, Lea, Flood 2014). */
    static long mix(long x) {
        long z = (x ^ (x >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
