package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Recording;
import dev.downbeat.record.Strain;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.selfcheck.StrainWatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Both sides of the ledger of one run: what was planned, and what became of it. At the end, what is still open is
 * censored.
 *
 * <p>Thread-safe: Gatling's event loops share one recorder under a lock, which at the rates of a Gatling run is seldom
 * contended. {@link #flip} empties the other recorder outside the lock, so that no event loop waits for it.
 */
public final class Journal {
    private final Object lock = new Object();
    private final Object flipping = new Object();
    private final OpenIntents open = new OpenIntents();
    private final RequestCourse course = new RequestCourse();
    private final RequestAccounts books;
    private long startAt;
    private Answers answers;
    private long flippedAt;
    private long nextIndex;
    private long lastIntendedAt;
    private Interruptions interruptions = Interruptions.UNKNOWN;
    private @Nullable StrainWatch strain;
    private final ThrottledCount throttled;
    private boolean ended;

    /**
     * A journal of what is meant for {@code startAt} and later.
     *
     * @param cold whether Gatling may still load what it needs then
     */
    public Journal(long startAt, boolean cold) {
        this.startAt = startAt;
        this.books = new RequestAccounts(startAt);
        this.answers = new Answers(startAt);
        if (cold) {
            answers.watch().startsCold();
        }
        this.flippedAt = startAt;
        this.lastIntendedAt = startAt;
        this.throttled = new ThrottledCount(startAt);
    }

    public long startAt() {
        return locked(() -> startAt);
    }

    /**
     * Forgets all that was meant for an earlier instant: until now the run warmed up.
     *
     * @return how many requests that were
     */
    public long restart(long nowAt) {
        synchronized (flipping) {
            flip(nowAt, false);
            synchronized (lock) {
                if (ended) {
                    return 0;
                }
                open.forEach(intent -> {
                    if (intent.intendedAt() - nowAt < 0) {
                        open.remove(intent);
                    }
                });
                long forgotten = course.planned() - open.size();
                startAt = nowAt;
                lastIntendedAt = nowAt;
                open.forEach(intent -> lastIntendedAt = later(lastIntendedAt, intent.intendedAt()));
                throttled.restart(nowAt);
                answers = new Answers(nowAt);
                books.restart(nowAt);
                books.planned(open.size());
                course.clear();
                return forgotten;
            }
        }
    }

    /**
     * Notes that a request is meant to start. Before the start, while the run warms up, and after the end it is not noted,
     * whatever becomes of it.
     */
    public Intent plan(long intendedAt, int client) {
        synchronized (lock) {
            Intent intent = new Intent(nextIndex++, client, intendedAt);
            if (counts(intendedAt)) {
                books.planned(1);
                open.add(intent);
                lastIntendedAt = later(lastIntendedAt, intendedAt);
            }
            return intent;
        }
    }

    private boolean counts(long intendedAt) {
        return !ended && intendedAt - startAt >= 0;
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** A request has left, or is with our own transport: an answer is waited for. */
    public void out(Intent intent, long nowAt) {
        synchronized (lock) {
            if (open.contains(intent)) {
                answers.due(intent, nowAt);
            }
        }
    }

    /** Keeps a judgement of how this process fared in each interval. */
    public void watchStrain(StrainWatch own) {
        synchronized (flipping) {
            strain = own;
        }
    }

    /** There was no such request after all: its user went another way. */
    public void withdraw(Intent intent) {
        synchronized (lock) {
            if (open.remove(intent)) {
                answers.withdraw(intent);
                books.planned(-1);
            }
        }
    }

    public void answered(Intent intent, long completedAt) {
        intent.end(completedAt);
        synchronized (lock) {
            if (open.remove(intent)) {
                answers.idled(books.answered(intent, completedAt));
                answers.answered(intent, completedAt);
            }
        }
    }

    /** The reasons should be few: those beyond the first hundred are counted together. */
    public void failed(Intent intent, long completedAt, String reason) {
        intent.end(completedAt);
        synchronized (lock) {
            if (open.remove(intent)) {
                if (FailureReasons.couldNotConnect(reason)) {
                    answers.gaveUp(intent, completedAt);
                } else {
                    answers.answered(intent, completedAt);
                }
                books.failed(intent, completedAt, reason);
            }
        }
    }

    void timedOut(Intent intent, long deadlineAt) {
        intent.end(deadlineAt);
        synchronized (lock) {
            if (open.remove(intent)) {
                answers.gaveUp(intent, deadlineAt);
                books.timedOut(intent, deadlineAt);
            }
        }
    }

    /** A request that was planned and that its user, held back by an answer, did not come to before {@code nowAt}. */
    public void missed(long intendedAt, long nowAt, String name) {
        synchronized (lock) {
            if (counts(intendedAt)) {
                books.missed(name, nowAt - intendedAt);
                lastIntendedAt = later(lastIntendedAt, intendedAt);
            }
        }
    }

    /** A planned request was not sent, and its user will not send it any more. */
    public void neverSent(Intent intent, long nowAt) {
        synchronized (lock) {
            if (open.remove(intent)) {
                books.neverSent(intent, nowAt);
            }
        }
    }

    /** One more or one fewer request waits for a throttle. */
    public void waiting(int change, long nowAt) {
        synchronized (lock) {
            throttled.add(change, nowAt);
        }
    }

    /** Ends an interval. */
    public void flip(long nowAt) {
        synchronized (flipping) {
            flip(nowAt, false);
        }
    }

    /** Ends the run: what is open is in flight, or was never sent, or was meant for later and does not count. */
    public void end(long endAt) {
        synchronized (flipping) { // or the interval that is being kept would be missing from the sum
            flip(endAt, true);
        }
    }

    private void flip(long nowAt, boolean isLast) {
        CorrectedRecorder full;
        long sinceAt;
        long silentNanos;
        long count;
        synchronized (lock) {
            if (ended) {
                return;
            }
            if (isLast) {
                ended = true;
                open.forEach(intent -> {
                    censor(intent, nowAt);
                    open.remove(intent);
                });
                interruptions = answers.watch().end(nowAt);
            }
            full = books.exchange();
            sinceAt = flippedAt;
            flippedAt = nowAt;
            silentNanos = answers.watch().takeSilentNanos(nowAt);
            count = answers.watch().answers();
        }
        StrainWatch own = strain;
        Strain seen = own == null ? Strain.NONE : own.next(Math.max(1, nowAt - sinceAt), silentNanos, count, 0, 0);
        Recording recording = full.drain(seen.isStarved());
        long from = startAt();
        course.add(new Interval(sinceAt - from, later(sinceAt, nowAt) - from, recording, ConnectionCounts.NONE, seen));
    }

    private void censor(Intent intent, long endAt) {
        if (intent.intendedAt() - endAt > 0) {
            books.planned(-1);
        } else if (intent.isSent()) {
            books.inFlight(intent, endAt);
        } else {
            books.neverSent(intent, endAt);
        }
    }

    /** All that was counted, interval by interval; complete after {@link #end}. */
    public RequestCourse course() {
        return course;
    }

    /** Those of {@link #course} that Gatling's own paces would not have sent; after {@link #end}, once. */
    public Recording overdue() {
        return locked(() -> books.overdue());
    }

    /** The slowest requests in full, and a sample of all; after {@link #end}. */
    public KeptRequests kept() {
        return locked(() -> books.kept());
    }

    /** When no answers came; after {@link #end}. */
    public Interruptions interruptions() {
        return locked(() -> interruptions);
    }

    /** From the start to the last intended time. */
    public long windowNanos() {
        return locked(() -> lastIntendedAt - startAt);
    }

    /** Most requests that waited for a throttle at the same time. */
    public long peakWaiting() {
        return locked(throttled::peak);
    }

    /** When that was, from the start. */
    public long peakWaitingNanos() {
        return locked(() -> throttled.peakAt() - startAt);
    }

    private <T> T locked(Supplier<T> question) {
        synchronized (lock) {
            return question.get();
        }
    }
}
