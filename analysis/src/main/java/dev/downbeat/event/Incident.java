package dev.downbeat.event;

import dev.downbeat.time.DurationText;
import java.util.Locale;

/**
 * A stall of the service, a pause of this process, or slow requests that came together.
 *
 * @param startNanos of a stall or a pause: when it began, from the start of the run; else when the first of the slow requests
 *     was meant to start
 * @param lengthNanos of the stall or the pause; else until the last of the slow requests had ended
 * @param requestsHit how many there were
 * @param tailShare how much of all the requests beyond p99 they are, from 0 to 1
 * @param slowestNanos the slowest response time among them
 * @param cause what is the likely reason
 * @param catchUpNanos after the end of a stall, until requests were answered as promptly as before it
 * @param isOpen whether no end of it was seen: its length is at least that
 */
public record Incident(
        long startNanos,
        long lengthNanos,
        long requestsHit,
        double tailShare,
        long slowestNanos,
        Cause cause,
        long catchUpNanos,
        boolean isOpen) {
    private static final long NOTEWORTHY_NANOS = 10_000_000;

    /** An incident that ended. */
    public Incident(
            long startNanos,
            long lengthNanos,
            long requestsHit,
            double tailShare,
            long slowestNanos,
            Cause cause,
            long catchUpNanos) {
        this(startNanos, lengthNanos, requestsHit, tailShare, slowestNanos, cause, catchUpNanos, false);
    }

    /** The same, of which no end was seen. */
    Incident open() {
        return new Incident(startNanos, lengthNanos, requestsHit, tailShare, slowestNanos, cause, catchUpNanos, true);
    }

    /** What is the likely reason of an incident. */
    public enum Cause {
        /** The service answered nobody. */
        SERVICE_STALL("the service stalled"),
        /** The service took long for what it had in hand, and more waited behind that. */
        SERVICE_SLOW("the service was slow"),
        /** No connection opened, so that nothing could be asked. */
        UNREACHABLE("no connection to the service could be opened"),
        /** This process or its machine was paused. */
        OUR_PAUSE("this client was paused"),
        /** No answer had come yet: this client loaded its code, or the service answered nobody. */
        STARTING("no answer yet: this client was starting, or the service stalled"),
        /** Most of the time went into new connections. */
        CONNECTION_CHURN("connections were opened again"),
        /** The service was quick, but there was no free connection. */
        BACKLOG("requests waited to be sent"),
        /** The service was asked more than it, or the connections to it, could carry. */
        OVERLOAD("overload"),
        /** Requests failed, though the service or the way to it said so at once. */
        ERRORS("requests failed"),
        /** None of these explains most of the time. */
        UNKNOWN("the cause is not clear");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /** Whether the service, or the way to it, is the likely reason. */
        public boolean isOfService() {
            return this == SERVICE_STALL || this == SERVICE_SLOW || this == UNREACHABLE;
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

    /** Whether nobody was answered, whoever is to blame. */
    public boolean isStandstill() {
        return cause == Cause.SERVICE_STALL || cause == Cause.UNREACHABLE || cause == Cause.OUR_PAUSE;
    }

    /** Whether this instant of the run is within it, or within the time to catch up. */
    public boolean holds(long nanos) {
        return nanos >= startNanos && nanos - startNanos < lengthNanos + catchUpNanos;
    }

    /** "at 5.0 s for 1.02 s: the service stalled, then 430 ms to catch up; 512 requests hit, up to 1.01 s; 97 % of all beyond p99". */
    public String text() {
        return begin() + " " + brief() + tail();
    }

    /** "at 5.0 s", or "from 5.7 s" if no end was seen. */
    public String begin() {
        return String.format(Locale.ROOT, isOpen ? "from %.1f s" : "at %.1f s", startNanos / 1e9);
    }

    /** "for 1.02 s: the service stalled, then 430 ms to catch up; 512 requests hit": what stands behind {@link #begin}. */
    public String brief() {
        String length = DurationText.rounded(lengthNanos);
        String during = isOpen ? "to the end, at least " + length + ": " : "for " + length + ": ";
        if (cause == Cause.ERRORS) {
            return during + requests() + " failed";
        }
        return during + cause.words() + catchUp() + "; "
                + (requestsHit == 0 ? "no answered request was hit" : requests() + " hit");
    }

    /** ", up to 1.01 s; 97 % of all beyond p99": the rest of {@link #text}, which a table of percentiles shows too. */
    public String tail() {
        return cause == Cause.ERRORS || requestsHit == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", up to %s; %.0f %% of all beyond p99",
                        DurationText.rounded(slowestNanos),
                        100 * tailShare);
    }

    private String requests() {
        return String.format(Locale.ROOT, "%,d %s", requestsHit, requestsHit == 1 ? "request" : "requests");
    }

    private String catchUp() {
        return catchUpNanos < NOTEWORTHY_NANOS ? "" : ", then " + DurationText.rounded(catchUpNanos) + " to catch up";
    }
}
