package dev.downbeat.truths;

import java.util.function.Function;

/**
 * Scenarios of one kind, drawn from seeds.
 *
 * @param name in tests and tables; seeds the draws
 * @param isCertain whether its truth holds in every draw; otherwise noise may spoil one in fifty
 * @param make creates a scenario
 */
record Family(String name, boolean isCertain, Function<Draw, Scenario> make) {
    /** A family whose truth holds in every draw. */
    static Family certain(String name, Function<Draw, Scenario> make) {
        return new Family(name, true, make);
    }

    /** A family in which noise may spoil a draw. */
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
