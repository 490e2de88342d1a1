package dev.downbeat.record;

/**
 * Where every intended request went. {@code planned} is counted from the arrival process alone, the fates where the
 * requests ended, so that a request lost in between shows as a difference.
 *
 * @param planned requests that were meant to start before the end of the run
 * @param answered complete, successful responses
 * @param failed responses that count as failures, and errors
 * @param timedOut deadline passed; {@code timedOutUnsent} of them while they still waited for a free slot
 * @param timedOutUnsent part of {@code timedOut}
 * @param inFlight sent, and their end not seen
 * @param neverSent due, and not sent before the run ended or because of a limit of this process
 * @param unconnected part of {@code failed}, {@code timedOut} and {@code inFlight}: their connection never opened, so that no
 *     byte of them left
 */
public record Ledger(
        long planned,
        long answered,
        long failed,
        long timedOut,
        long timedOutUnsent,
        long inFlight,
        long neverSent,
        long unconnected) {
    /** Nothing planned, nothing happened. */
    public static final Ledger EMPTY = new Ledger(0, 0, 0, 0, 0, 0, 0, 0);

    /** A ledger of requests whose connections all opened. */
    public Ledger(
            long planned,
            long answered,
            long failed,
            long timedOut,
            long timedOutUnsent,
            long inFlight,
            long neverSent) {
        this(planned, answered, failed, timedOut, timedOutUnsent, inFlight, neverSent, 0);
    }

    /** The sum of all fates. */
    public long accounted() {
        return answered + failed + timedOut + inFlight + neverSent;
    }

    /** Whether every planned request has exactly one fate. A run for which this is false has met a bug of ours. */
    public boolean addsUp() {
        return planned == accounted()
                && timedOutUnsent <= timedOut
                && unconnected <= failed + timedOut - timedOutUnsent + inFlight;
    }

    /** Requests of which only a lower bound of the response time is known. */
    public long censored() {
        return timedOut + inFlight + neverSent;
    }

    /** Requests of which bytes left us. */
    public long sent() {
        return accounted() - neverSent - timedOutUnsent - unconnected;
    }

    /** The sum of both. */
    public Ledger plus(Ledger other) {
        return new Ledger(
                planned + other.planned,
                answered + other.answered,
                failed + other.failed,
                timedOut + other.timedOut,
                timedOutUnsent + other.timedOutUnsent,
                inFlight + other.inFlight,
                neverSent + other.neverSent,
                unconnected + other.unconnected);
    }
}
