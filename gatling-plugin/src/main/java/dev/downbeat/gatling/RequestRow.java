package dev.downbeat.gatling;

import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;
import org.HdrHistogram.Histogram;

/**
 * One name's part of the ledger: the sums over all names are the run's. Times are nanoseconds from the intended time; a
 * request that was not seen to end is among them with what it had lasted. Not thread-safe.
 */
final class RequestRow {
    private static final int DIGITS = 3;

    private final Histogram responses = new Histogram(DIGITS);
    private long answered;
    private long failed;
    private long timedOut;
    private long inFlight;
    private long neverSent;

    void answered(long nanos) {
        answered++;
        time(nanos);
    }

    /** A failure tells nothing of how long an answer takes. */
    void failed() {
        failed++;
    }

    void timedOut(long nanos) {
        timedOut++;
        time(nanos);
    }

    void inFlight(long nanos) {
        inFlight++;
        time(nanos);
    }

    void neverSent(long nanos) {
        neverSent++;
        time(nanos);
    }

    private void time(long nanos) {
        responses.recordValue(Math.max(0, nanos));
    }

    /** What it came to. */
    Counts counts(String name) {
        return new Counts(
                Plain.line(Redaction.line(name)),
                answered,
                failed,
                timedOut,
                inFlight,
                neverSent,
                responses.getValueAtPercentile(50),
                responses.getValueAtPercentile(95),
                responses.getValueAtPercentile(99),
                responses.getMaxValue());
    }

    /**
     * A row to show; as many parts as the table has columns.
     *
     * @param name of the request, after its groups: {@code group / request}; of a URL in it, what may be shown
     * @param answered requests
     * @param failed requests
     * @param timedOut requests
     * @param inFlight requests that were out when the run ended
     * @param neverSent requests that were due and not sent when it ended
     * @param p50Nanos median
     * @param p95Nanos 95th percentile
     * @param p99Nanos 99th percentile
     * @param maxNanos largest
     */
    record Counts(
            String name,
            long answered,
            long failed,
            long timedOut,
            long inFlight,
            long neverSent,
            long p50Nanos,
            long p95Nanos,
            long p99Nanos,
            long maxNanos) {
        long planned() {
            return answered + failed + timedOut + inFlight + neverSent;
        }
    }
}
