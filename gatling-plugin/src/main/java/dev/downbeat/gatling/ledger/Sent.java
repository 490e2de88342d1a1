package dev.downbeat.gatling.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A request on its way, and the link from the end that its transport sees to what Gatling makes of it: Gatling checks and
 * logs a response within the call that tells of its end, on the same thread.
 */
public final class Sent {
    private static final ThreadLocal<@Nullable Sent> ENDING = new ThreadLocal<>();

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
        Sent sent = ENDING.get();
        return sent == null || sent.logged ? null : sent;
    }

    public Intent intent() {
        return intent;
    }

    public void firstByte() {
        intent.firstByte(System.nanoTime());
    }

    /** Tells Gatling of the end, and sees that it logs it. What it keeps silent about is not counted; what it breaks off at is a failure. */
    public void end(boolean byTimeout, Runnable tell) {
        endedAt(System.nanoTime(), byTimeout, tell);
    }

    /** As {@link #end}, of a request whose end was seen earlier. */
    public void endedAt(long at, boolean byTimeout, Runnable tell) {
        if (logged) {
            tell.run();
            return;
        }
        endAt = at;
        timedOut = byTimeout;
        Sent around = ENDING.get();
        ENDING.set(this);
        boolean told = false;
        try {
            tell.run();
            told = true;
        } finally {
            if (around == null) {
                ENDING.remove();
            } else {
                ENDING.set(around);
            }
            if (!logged) {
                logged = true;
                if (told) {
                    journal.withdraw(intent);
                } else {
                    journal.failed(intent, endAt, "its end could not be told");
                }
            }
        }
    }

    /**
     * Gatling has made up its mind.
     *
     * @param reason of the failure, if it is one
     * @return the response time in nanoseconds
     */
    public long logged(boolean ok, String reason) {
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
