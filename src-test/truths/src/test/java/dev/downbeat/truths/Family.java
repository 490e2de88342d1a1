package dev.downbeat.truths;

import java.util.function.Function;

/**
 * Scenarios of one kind, by seed.
 *
 * @param name as a test and a table call it
 * @param isCertain whether its truth holds in every draw; else chance may decide one in fifty
 * @param make draws one
 */
record Family(String name, boolean isCertain, Function<Draw, Scenario> make) {
    /** One whose truth holds in every draw. */
    static Family certain(String name, Function<Draw, Scenario> make) {
        return new Family(name, true, make);
    }

    /** One in which noise may decide. */
    static Family noisy(String name, Function<Draw, Scenario> make) {
        return new Family(name, false, make);
    }

    /** The seed of the n-th draw: the same in every build. */
    long seed(int draw) {
        return name.hashCode() * 1_000_003L + draw;
    }

    Scenario draw(long seed) {
        return make.apply(new Draw(seed));
    }
}
