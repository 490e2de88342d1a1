package dev.downbeat.run.agenda;

import dev.downbeat.exchange.Exchange;
import java.util.function.LongConsumer;

/**
 * One generator's requests in order of intended start. The backlog is what is due but not yet taken. For an open
 * workload this is only a cursor, however long the target stalls.
 *
 * <p>Times are nanoseconds from the start of the run. Not thread-safe: owned by one generator.
 */
interface Agenda {
    /** The value of {@link #nextNanos} when no further request is known. */
    long NONE = Long.MAX_VALUE;

    /** The intended start of the next request; {@link #NONE} if none is known, now or until a completion. */
    long nextNanos();

    /** Takes the next request: identifies it in the exchange and returns its intended start. */
    long take(Exchange exchange);

    /**
     * Whether the last request taken missed its intended start because its predecessor in the session was still in
     * flight. Such a wait is not the generator's delay.
     */
    default boolean heldBack() {
        return false;
    }

    /** A request that was taken has ended or timed out. */
    void ended(Exchange exchange, long atNanos);

    /** The number of requests due before {@code nanos} and not taken; {@code nanos} must not decrease. */
    long backlogAt(long nanos);

    /** The number of requests taken. */
    long taken();

    /**
     * The number of requests intended to start before {@code nanos}: the other side of the ledger, computed once at the
     * end. Where possible it is computed from the workload, not from the requests taken.
     */
    long plannedBefore(long nanos);

    /**
     * Reports each intended start before {@code nanos} that was never taken. Nothing is taken afterwards.
     *
     * @param unsent identifies the request at each call
     */
    void leave(long nanos, Exchange unsent, LongConsumer intended);

    /** The number of indexes below {@code count} among {@code share}, {@code share + shares}, and so on. */
    static long shareOf(long count, int share, int shares) {
        return count <= share ? 0 : (count - share - 1) / shares + 1;
    }
}
