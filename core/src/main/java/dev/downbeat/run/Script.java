package dev.downbeat.run;

import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;

/**
 * Requests whose choice depends on how they come: in an open load each is drawn from all, and a session sends them from the
 * first to the last. Immutable, thread-safe.
 */
public interface Script extends SystemUnderTest {
    /**
     * Each intended time takes one of the requests, by their weights.
     *
     * @param seed of chance: the same seed gives the same sequence
     * @throws IllegalArgumentException if they cannot be sent so, in one line
     */
    Target mix(long seed);

    /**
     * Each session or client sends the requests from the first to the last.
     *
     * @param seed of values that are drawn
     * @throws IllegalArgumentException if they cannot be sent so, in one line
     */
    Target session(long seed);

    /**
     * The pause before each request of a session; its {@linkplain ThinkTime#steps steps} are the requests.
     *
     * @param usual before each request that says nothing else
     */
    ThinkTime think(ThinkTime usual);
}
