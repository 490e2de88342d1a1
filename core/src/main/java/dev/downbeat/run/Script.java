package dev.downbeat.run;

import dev.downbeat.exchange.MeasuredSystem;
import dev.downbeat.exchange.Target;

/**
 * A set of requests whose selection depends on the workload: an open load draws each at random, a session sends them in
 * order. Immutable, thread-safe.
 */
public interface Script extends MeasuredSystem {
    /**
     * A target that draws one request per intended time, by weight.
     *
     * @param seed the random seed; the same seed gives the same sequence
     * @throws IllegalArgumentException with one line, if the requests cannot be sent this way
     */
    Target mix(long seed);

    /**
     * A target whose sessions or clients send the requests in order.
     *
     * @param seed seed for randomly drawn values
     * @throws IllegalArgumentException with one line, if the requests cannot be sent this way
     */
    Target session(long seed);

    /**
     * The pauses before each request of a session; its {@linkplain ThinkTime#steps steps} are the requests.
     *
     * @param defaultThink the pause before requests without their own
     */
    ThinkTime think(ThinkTime defaultThink);

    /** Whether the seed of the load determines what is sent. */
    default boolean isSeededByLoad() {
        return false;
    }

    /** Whether values are sent once only, so that a warm-up would use them up. */
    default boolean isDataUsedOnce() {
        return false;
    }
}
