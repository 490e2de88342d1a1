package dev.downbeat.record;

/**
 * The fate of every intended request. {@code planned} is computed from the arrival process alone, the fates where
 * requests end. A lost request therefore shows up as a difference. Requests that follow a response are planned when the
 * one before ends; none follows a request that never ended.
 *
 * @param planned requests intended to start before the end of the run
 * @param answered complete, successful responses
 * @param failed responses that count as failures, and errors
 * @param timedOut deadline passed; {@code timedOutUnsent} of them while still waiting for a slot
 * @param timedOutUnsent part of {@code timedOut}
 * @param inFlight sent, but not finished at the end
 * @param neverSent due, but not sent before the run ended or because of a limit of this process
 * @param unconnected part of {@code failed}, {@code timedOut} and {@code inFlight}: no byte was sent, because the
 *     connection never opened or the request could not be built
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
    public static final Ledger EMPTY = new Ledger(0, 0, 0, 0, 0, 0, 0, 0);

    /** A ledger without {@code unconnected} requests. */
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

    /** Whether every planned request has exactly one fate. If false, Downbeat has a bug. */
    public boolean addsUp() {
        return planned == accounted()
                && timedOutUnsent <= timedOut
                && unconnected <= failed + timedOut - timedOutUnsent + inFlight;
    }

    /** Requests that were answered, failed or timed out. */
    public long ended() {
        return answered + failed + timedOut;
    }

    /** Requests with at least one byte sent. */
    public long sent() {
        return accounted() - neverSent - timedOutUnsent - unconnected;
    }

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

    Ledger since(Ledger earlier) {
        return new Ledger(
                planned - earlier.planned,
                answered - earlier.answered,
                failed - earlier.failed,
                timedOut - earlier.timedOut,
                timedOutUnsent - earlier.timedOutUnsent,
                inFlight - earlier.inFlight,
                neverSent - earlier.neverSent,
                unconnected - earlier.unconnected);
    }
}
