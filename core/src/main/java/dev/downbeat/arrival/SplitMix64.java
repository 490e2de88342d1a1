package dev.downbeat.arrival;

/**
 * The mixing function of SplitMix64, a bijection of 64 bits.
 *
 * @see <a href="https://doi.org/10.1145/2660193.2660195">Steele, Lea, Flood: Fast splittable pseudorandom number
 *     generators, OOPSLA 2014</a>
 */
public final class SplitMix64 {
    /** The step between the states of one stream: odd, close to 2^64 over the golden ratio. */
    public static final long STEP = 0x9e3779b97f4a7c15L;

    private SplitMix64() {}

    /** The finaliser alone. */
    public static long mix(long state) {
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** The first state of one of 2^64 streams: the output of a SplitMix64 with this seed at this place. */
    static long stateOf(long seed, long stream) {
        return mix(mix(seed) + stream * STEP);
    }
}
