package dev.downbeat.capacity;

import java.util.Locale;

/**
 * The rate at which a search ended before it was done, since it could not be measured there.
 *
 * @param perSecond the rate, above 0
 * @param reason why, in a few words: somebody ended the search, or the service could not be reached any more
 */
public record Unmeasured(double perSecond, String reason) {
    static final String INTERRUPTED = "interrupted";

    public Unmeasured {
        if (!(perSecond > 0)) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "perSecond must be above 0, but was %s", perSecond));
        }
    }
}
