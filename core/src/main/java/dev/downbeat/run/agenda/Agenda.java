package dev.downbeat.run.agenda;

import dev.downbeat.exchange.Exchange;
import java.util.function.LongConsumer;

/**
 * The requests of one generator in the order of their intended times. What is due and has not been taken is the
 * backlog; for an open workload that is a cursor and nothing else, however long the target stalls.
 *
 * <p>Times are nanoseconds from the start of the run. Not thread-safe: one generator owns it.
 */
interface Agenda {
    /** {@link #nextNanos} when no further request is known. */
    long NONE = Long.MAX_VALUE;

    /** When the next request is meant to start; {@link #NONE} if none is known, now or until a completion. */
    long nextNanos();

    /** Takes the next request: writes which it is into the exchange and returns its intended time. */
    long take(Exchange exchange);

    /**
     * Whether the request taken last could not go at its intended time because its predecessor in the same session was
     * still out: such a wait is not the generator's fault.
     */
    default boolean heldBack() {
        return false;
    }

    /** A request that was taken has ended or timed out. */
    void ended(Exchange exchange, long atNanos);

    /** How many requests are due before {@code nanos} and not taken; {@code nanos} must not decrease. */
    long backlogAt(long nanos);

    /** How many requests have been taken. */
    long taken();

    /**
     * How many requests were meant to start before {@code nanos}: the other side of the ledger, asked once, at the end.
     * Counted from the law of the workload, not from what was taken, where the law allows it.
     */
    long plannedBefore(long nanos);

    /**
     * Calls back with each intended time before {@code nanos} that was never taken. Nothing is taken afterwards.
     *
     * @param unsent says which request it is, each time
     */
    void leave(long nanos, Exchange unsent, LongConsumer intended);

    /** How many of the indices below {@code count} are {@code share}, {@code share + shares}, and so on. */
    static long shareOf(long count, int share, int shares) {
        return count <= share ? 0 : (count - share - 1) / shares + 1;
    }
}
