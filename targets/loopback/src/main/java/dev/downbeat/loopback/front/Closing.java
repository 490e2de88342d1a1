package dev.downbeat.loopback.front;

import java.util.random.RandomGenerator;

/**
 * The number of requests after which a connection is closed. Immutable.
 *
 * @param least at least 1
 * @param most at least {@code least}; each connection draws a number from {@code least} to {@code most}
 * @param notice whether the last response says {@code Connection: close}
 */
public record Closing(int least, int most, boolean notice) {
    /** Rejects numbers below 1 and an empty range. */
    public Closing {
        if (least < 1 || most < least) {
            throw new IllegalArgumentException(
                    "a closing must be from 1 or more to no less, but was from " + least + " to " + most);
        }
    }

    /** Connections stay open. */
    public static Closing never() {
        return new Closing(Integer.MAX_VALUE, Integer.MAX_VALUE, false);
    }

    /** Closes after this many requests. */
    public static Closing after(int requests, boolean notice) {
        return new Closing(requests, requests, notice);
    }

    /** Closes after a number of requests drawn per connection. */
    public static Closing between(int least, int most, boolean notice) {
        return new Closing(least, most, notice);
    }

    int next(RandomGenerator random) {
        return least == most ? least : (int) random.nextLong(least, most + 1L);
    }
}
