package dev.downbeat.event;

import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.time.DurationText;
import java.util.Locale;

/**
 * A stall of the service, a pause of Downbeat, or slow requests that occurred together.
 *
 * @param startNanos start of the stall or pause, from the start of the run; otherwise the intended time of the first
 *     slow request
 * @param lengthNanos length of the stall or pause; otherwise until the last slow request ended
 * @param requestsHit number of requests affected
 * @param tailShare their share of all requests beyond p99, from 0 to 1
 * @param slowestNanos the slowest response time among them
 * @param cause the probable cause
 * @param catchUpNanos from the end of the stall until responses were as prompt as before
 * @param isOpen whether its end was not seen, so that the length is a lower bound
 * @param isSlowestBound whether the end of some of them was not seen, so that the slowest time is a lower bound
 * @param name the name of all requests hit, where the run has others; empty if they have several, or none
 */
public record Incident(
        long startNanos,
        long lengthNanos,
        long requestsHit,
        double tailShare,
        long slowestNanos,
        Cause cause,
        long catchUpNanos,
        boolean isOpen,
        boolean isSlowestBound,
        String name) {
    private static final long NOTEWORTHY_NANOS = 10_000_000;

    /** The same incident without an end. */
    Incident open() {
        return with(true, name);
    }

    /** The same incident, which hit only requests of this name. */
    Incident of(String only) {
        return with(isOpen, only);
    }

    private Incident with(boolean open, String only) {
        return new Incident(
                startNanos,
                lengthNanos,
                requestsHit,
                tailShare,
                slowestNanos,
                cause,
                catchUpNanos,
                open,
                isSlowestBound,
                only);
    }

    /** The probable cause of an incident. */
    public enum Cause {
        /** The service answered no request. */
        SERVICE_STALL("the service stalled"),
        /** The service took long for the requests in hand, and others waited behind them. */
        SERVICE_SLOW("the service was slow"),
        /** No connection could be opened. */
        UNREACHABLE("no connection to the service could be opened"),
        /** A name lookup took long, and no request was answered: new connections wait for the same lookup. */
        SLOW_LOOKUP("a slow name lookup, which new connections share"),
        /** Downbeat or its machine was paused. */
        OUR_PAUSE("Downbeat was paused"),
        /** There was no response yet: Downbeat was loading code, or the service stalled. */
        STARTING("no response yet: Downbeat was starting, or the service stalled"),
        /** Most of the time was spent on new connections. */
        CONNECTION_CHURN("new connections were opened"),
        /** The service was fast, but no connection was free. */
        BACKLOG("requests waited to be sent"),
        /** The load exceeded the capacity of the service or its connections. */
        OVERLOAD("overload"),
        /** Requests failed at once. */
        ERRORS("requests failed"),
        /** None of these explains most of the time. */
        UNKNOWN("the cause is not clear");

        private final String words;

        Cause(String words) {
            this.words = words;
        }

        /** Whether the service or the path to it is the probable cause. */
        public boolean isOfService() {
            return this == SERVICE_STALL || this == SERVICE_SLOW || this == UNREACHABLE || this == SLOW_LOOKUP;
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

    /** Whether no request was answered, regardless of the cause. */
    public boolean isStandstill() {
        return cause == Cause.SERVICE_STALL
                || cause == Cause.UNREACHABLE
                || cause == Cause.OUR_PAUSE
                || cause == Cause.SLOW_LOOKUP;
    }

    /** Whether this instant lies within the incident or its catch-up time. */
    public boolean holds(long nanos) {
        return nanos >= startNanos && nanos - startNanos < lengthNanos + catchUpNanos;
    }

    /** "at 5.0 s for 1.02 s: the service stalled, then 430 ms to catch up; 512 requests hit, slowest 1.01 s; 97 % of requests beyond p99". */
    public String text() {
        return begin() + " " + brief() + tail();
    }

    /** "at 5.0 s", or "from 5.7 s" if no end was seen. */
    public String begin() {
        return (isOpen ? "from " : "at ") + Numbers.seconds(startNanos);
    }

    /** "for 1.02 s: the service stalled, then 430 ms to catch up; 512 requests hit": follows {@link #begin}. */
    public String brief() {
        String length = DurationText.rounded(lengthNanos);
        String during = isOpen ? "to the end, at least " + length + ": " : "for " + length + ": ";
        if (cause == Cause.ERRORS) {
            return during + requests() + " failed";
        }
        String hit =
                requests() + (cause == Cause.UNREACHABLE ? " that got a connection" : "") + " hit" + allOfOneName();
        return during + cause.words() + catchUp() + "; " + (requestsHit == 0 ? "no answered request was hit" : hit);
    }

    /** ", slowest 1.01 s; 97 % of requests beyond p99": the rest of {@link #text}, which a table of percentiles shows too. */
    public String tail() {
        return slow().isEmpty() ? "" : slow() + "; " + PercentText.whole(tailShare) + " of requests beyond p99";
    }

    /** ", slowest 1.01 s": {@link #tail} without the share, for a run that has no p99. */
    public String slow() {
        return cause == Cause.ERRORS || requestsHit == 0 ? "" : ", slowest " + slowest();
    }

    /** "1.01 s", "≥ 949 ms". */
    public String slowest() {
        return (isSlowestBound ? "≥ " : "") + DurationText.rounded(slowestNanos);
    }

    /** "512", "512, all of export". */
    public String hit() {
        return Numbers.count(requestsHit) + allOfOneName();
    }

    private String allOfOneName() {
        return name.isEmpty() ? "" : ", all of " + name;
    }

    private String requests() {
        return Numbers.count(requestsHit, "request");
    }

    private String catchUp() {
        return catchUpNanos < NOTEWORTHY_NANOS ? "" : ", then " + DurationText.rounded(catchUpNanos) + " to catch up";
    }
}
