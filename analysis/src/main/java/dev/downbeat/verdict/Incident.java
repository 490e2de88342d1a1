package dev.downbeat.verdict;

import dev.downbeat.time.DurationText;
import java.util.Locale;

/**
 * Slow requests that came together.
 *
 * @param startNanos when the first of them was meant to start, from the start of the run
 * @param lengthNanos until the last of them had ended
 * @param requestsHit how many there were
 * @param tailShare how much of all the requests beyond p99 they are, from 0 to 1
 * @param slowestNanos the slowest response time among them
 * @param cause what is the likely reason
 */
public record Incident(
        long startNanos, long lengthNanos, long requestsHit, double tailShare, long slowestNanos, Cause cause) {
    /** What is the likely reason of an incident. */
    public enum Cause {
        /** The service took long for what it had in hand, and more waited behind that. */
        SERVICE_STALL("the service stood still"),
        /** This process or its machine stood still. */
        OUR_PAUSE("this client stood still"),
        /** Most of the time went into new connections. */
        CONNECTION_CHURN("connections were opened again"),
        /** The service was quick, but there was no free connection. */
        BACKLOG("requests waited for a free connection"),
        /** None of these explains most of the time. */
        UNKNOWN("the cause is not clear");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /** In a few words, for a reader. */
        public String words() {
            return words;
        }

        /** A stable name for programs. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** "at 5.0 s for 1.02 s: the service stood still; 512 requests hit, up to 1.01 s; 97 % of all beyond p99". */
    public String text() {
        return String.format(
                Locale.ROOT,
                "at %.1f s for %s: %s; %,d requests hit, up to %s; %.0f %% of all beyond p99",
                startNanos / 1e9,
                DurationText.rounded(lengthNanos),
                cause.words(),
                requestsHit,
                DurationText.rounded(slowestNanos),
                100 * tailShare);
    }
}
