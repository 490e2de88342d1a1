package dev.downbeat.capacity;

import java.util.Locale;

/**
 * A rate that could not be measured, which ended the search early.
 *
 * @param perSecond the rate, above 0
 * @param reason the reason in a few words: the search was stopped, or the service became unreachable
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
