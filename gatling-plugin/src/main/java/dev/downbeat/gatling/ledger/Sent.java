package dev.downbeat.gatling.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A request on its way, and the link from the end that its transport sees to what Gatling makes of it: Gatling checks and
 * logs a response within the call that tells of its end, on the same thread.
 */
public class Sent {
    /** One place for each thread, made once: to set and remove a value for each request costs an entry each time. */
    private static final ThreadLocal<@Nullable Object[]> ENDING = ThreadLocal.withInitial(() -> new Object[1]);

    private final Intent intent;
    private final Journal journal;
    private long endAt;
    private boolean timedOut;
    private boolean logged;

    public Sent(Intent intent, Journal journal) {
        this.intent = intent;
        this.journal = journal;
    }

    /** The request whose end is being told on this thread and that Gatling has not logged yet; null if there is none. */
    public static @Nullable Sent current() {
        @Nullable Object ending = ENDING.get()[0];
        return ending instanceof Sent sent && !sent.logged ? sent : null;
    }

    public final Intent intent() {
        return intent;
    }

    public final void firstByte() {
        intent.firstByte(System.nanoTime());
    }

    /** Tells Gatling of the end, and sees that it logs it. What it keeps silent about is not counted; what it breaks off at is a failure. */
    public final void end(boolean byTimeout, Runnable tell) {
        endedAt(System.nanoTime(), byTimeout, tell);
    }

    /** As {@link #end}, of a request whose end was seen earlier. */
    public final void endedAt(long at, boolean byTimeout, Runnable tell) {
        if (logged) {
            tell.run();
            return;
        }
        @Nullable Object around = begin(at, byTimeout);
        boolean told = false;
        try {
            tell.run();
            told = true;
        } finally {
            finish(around, told);
        }
    }

    /** Its end is going to be told on this thread; returns what {@link #finish} is given. */
    protected final @Nullable Object begin(long at, boolean byTimeout) {
        endAt = at;
        timedOut = byTimeout;
        @Nullable Object[] ending = ENDING.get();
        @Nullable Object around = ending[0];
        ending[0] = this;
        return around;
    }

    /**
     * Its end was told.
     *
     * @param around what {@link #begin} has returned
     * @param told whether Gatling has heard it to the end
     */
    protected final void finish(@Nullable Object around, boolean told) {
        ENDING.get()[0] = around;
        if (!logged) {
            logged = true;
            if (told) {
                journal.withdraw(intent);
            } else {
                journal.failed(intent, endAt, "its end could not be told");
            }
        }
    }

    protected final boolean isLogged() {
        return logged;
    }

    /**
     * Gatling has made up its mind.
     *
     * @param reason of the failure, if it is one
     * @return the response time in nanoseconds
     */
    public final long logged(boolean ok, String reason) {
        logged = true;
        if (timedOut) {
            journal.timedOut(intent, endAt);
        } else if (ok) {
            journal.answered(intent, endAt);
        } else {
            journal.failed(intent, endAt, reason);
        }
        return intent.ageNanos(endAt);
    }
}
