package dev.downbeat.arrival;

/**
 * The SplitMix64 mixing function, a bijection on 64-bit values.
 *
 * @see <a href="https://doi.org/10.1145/2660193.2660195">Steele, Lea, Flood: Fast splittable pseudorandom number
 *     generators, OOPSLA 2014</a>
 */
public final class SplitMix64 {
    /** The increment between states of a stream: odd, and close to 2^64 divided by the golden ratio. */
    public static final long STEP = 0x9e3779b97f4a7c15L;

    private SplitMix64() {}

    /** The finaliser without the increment. */
    public static long mix(long state) {
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** The initial state of one of 2^64 streams: output number {@code stream} of a SplitMix64 with this seed. */
    static long stateOf(long seed, long stream) {
        return mix(mix(seed) + stream * STEP);
    }
}
