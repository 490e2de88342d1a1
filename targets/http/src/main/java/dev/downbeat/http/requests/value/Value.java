package dev.downbeat.http.requests.value;

import dev.downbeat.arrival.SplitMix64;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import org.jspecify.annotations.Nullable;

/** The value of a variable that differs between requests. Immutable. */
@FunctionalInterface
public interface Value {
    /** Appends the value; returns why there is none, or null. */
    @Nullable
    Outcome write(Draw draw, RequestBytes into);

    /**
     * The context in which a request's values are computed: the request's identity, randomness and the session's state.
     * The same seed gives the same values. Reused for each request; not thread-safe.
     */
    final class Draw {
        private final long seed;
        private long state;
        private long session;
        private @Nullable SessionState sessionState;

        public Draw(long seed) {
            this.seed = seed;
        }

        /** Resets for another request. */
        public void begin(Exchange exchange, @Nullable SessionState of) {
            state = SplitMix64.mix(seed + SplitMix64.mix(exchange.index + SplitMix64.STEP));
            session = exchange.session;
            sessionState = of;
        }

        /** The session; in a mix, the request's own index. */
        long session() {
            return session;
        }

        /** The session's state; null in a mix. */
        public @Nullable SessionState sessionState() {
            return sessionState;
        }

        /** A random number that is constant within the session, for one purpose. */
        long ofSession(long kind) {
            return SplitMix64.mix(SplitMix64.mix(seed ^ kind) + session) >>> 1;
        }

        long nextLong() {
            state += SplitMix64.STEP;
            return SplitMix64.mix(state);
        }

        /** A number from 0 (inclusive) to the bound (exclusive). */
        long below(long bound) {
            return Long.remainderUnsigned(nextLong() >>> 1, bound);
        }
    }
}
