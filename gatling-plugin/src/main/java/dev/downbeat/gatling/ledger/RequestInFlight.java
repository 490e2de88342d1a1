package dev.downbeat.gatling.ledger;

import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * A request in flight. It links the end observed by its transport to Gatling's verdict: Gatling checks and logs a
 * response inside the call that reports its end, on the same thread.
 */
public class RequestInFlight {
    /**
     * One reusable cell per thread, because setting and removing a value per request would allocate an entry each time.
     * Netty's, because event loops find it at an index.
     */
    private static final FastThreadLocal<@Nullable Object[]> ENDING = new FastThreadLocal<>() {
        @Override
        protected @Nullable Object[] initialValue() {
            return new Object[1];
        }
    };

    private final IntendedRequest intent;
    private final Journal journal;
    private long endAt;
    private boolean timedOut;
    private boolean logged;

    public RequestInFlight(IntendedRequest intent, Journal journal) {
        this.intent = intent;
        this.journal = journal;
    }

    /**
     * The request whose end is being reported on this thread and is not yet logged by Gatling; null if there is none.
     */
    public static @Nullable RequestInFlight current() {
        @Nullable Object ending = ENDING.get()[0];
        return ending instanceof RequestInFlight sent && !sent.logged ? sent : null;
    }

    public final IntendedRequest intent() {
        return intent;
    }

    public final void firstByte() {
        intent.firstByte(System.nanoTime());
    }

    /**
     * Reports the end to Gatling and observes its log. A request that Gatling does not log is not counted; if Gatling
     * throws, it has failed.
     */
    public final void end(boolean byTimeout, Runnable report) {
        endedAt(System.nanoTime(), byTimeout, report);
    }

    /** Like {@link #end}, for an end observed earlier. */
    public final void endedAt(long at, boolean byTimeout, Runnable report) {
        if (logged) {
            report.run();
            return;
        }
        endAt = at;
        timedOut = byTimeout;
        @Nullable Object[] ending = ENDING.get();
        @Nullable Object outer = ending[0];
        ending[0] = this;
        boolean isReported = false;
        try {
            report.run();
            isReported = true;
        } finally {
            ending[0] = outer;
            if (!logged) {
                logged = true;
                if (isReported) {
                    journal.withdraw(intent);
                } else {
                    journal.failed(intent, endAt, "its end could not be determined");
                }
            }
        }
    }

    /**
     * Gatling has logged its verdict.
     *
     * @param reason the failure reason, if any
     * @return the response time in nanoseconds
     */
    public final long settle(boolean ok, String reason) {
        logged = true;
        if (timedOut) {
            journal.timedOut(intent, endAt);
        } else if (ok) {
            journal.answered(intent, endAt);
        } else if (intent.isUnbuilt()) {
            journal.unbuilt(intent, endAt, reason);
        } else {
            journal.failed(intent, endAt, reason);
        }
        return intent.ageNanos(endAt);
    }
}
