package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.AnswerWatch;
import dev.downbeat.record.CorrectedRecorder;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Recording;
import dev.downbeat.record.RequestKeeper;
import dev.downbeat.record.Strain;
import dev.downbeat.selfcheck.StrainWatch;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Both sides of the ledger of one run: what was planned, and what became of it. At the end, what is still open is
 * censored.
 *
 * <p>Thread-safe: Gatling's event loops share one recorder under a lock, which at the rates of a Gatling run is seldom
 * contended. {@link #flip} empties the other recorder outside the lock, so that no event loop waits for it.
 */
public final class Journal {
    /** Chooses the sample of requests that are kept in full. */
    private static final long KEPT_SEED = 42;

    private final Object lock = new Object();
    private final Object flipping = new Object();
    private final OpenIntents open = new OpenIntents();
    private final Reasons reasons = new Reasons();
    private final RequestBooks books = new RequestBooks();
    private final Course course = new Course();
    private long startAt;
    private AnswerWatch watch = new AnswerWatch();
    private RequestKeeper keeper;
    private CorrectedRecorder active;
    private CorrectedRecorder spare;
    private long flippedAt;
    private long nextIndex;
    private long lastIntendedAt;
    private long waiting;
    private long out;
    private Interruptions interruptions = Interruptions.UNKNOWN;
    private @Nullable StrainWatch strain;
    private long peakWaiting;
    private long peakWaitingAt;
    private boolean ended;

    public Journal(long startAt) {
        this(startAt, true);
    }

    /**
     * A journal of what is meant for {@code startAt} and later.
     *
     * @param cold whether Gatling may still load what it needs then
     */
    public Journal(long startAt, boolean cold) {
        this.startAt = startAt;
        watch.startsAt(startAt);
        if (cold) {
            watch.startsCold();
        }
        this.flippedAt = startAt;
        this.lastIntendedAt = startAt;
        this.peakWaitingAt = startAt;
        active = recorder(startAt);
        spare = recorder(startAt);
        keeper = keeper(startAt);
    }

    private static RequestKeeper keeper(long startAt) {
        RequestKeeper keeper = new RequestKeeper(KeptRequests.MOST, KEPT_SEED);
        keeper.startsAt(startAt);
        return keeper;
    }

    public long startAt() {
        synchronized (lock) {
            return startAt;
        }
    }

    /**
     * Forgets all that was meant for an earlier instant: until now the run warmed up.
     *
     * @return how many requests that were
     */
    public long restart(long nowAt) {
        synchronized (flipping) {
            flipAlone(nowAt);
            synchronized (lock) {
                if (ended) {
                    return 0;
                }
                open.forEach(intent -> {
                    if (intent.intendedAt() - nowAt < 0) {
                        open.remove(intent);
                    }
                });
                long forgotten = course.total().ledger().planned() - open.size();
                startAt = nowAt;
                lastIntendedAt = nowAt;
                open.forEach(intent -> lastIntendedAt = later(lastIntendedAt, intent.intendedAt()));
                peakWaiting = waiting;
                peakWaitingAt = nowAt;
                out = 0;
                watch = new AnswerWatch();
                watch.startsAt(nowAt);
                active = recorder(nowAt);
                spare = recorder(nowAt);
                keeper = keeper(nowAt);
                active.planned(open.size());
                course.clear();
                books.clear();
                return forgotten;
            }
        }
    }

    private static CorrectedRecorder recorder(long startAt) {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.startsAt(startAt);
        return recorder;
    }

    /**
     * Notes that a request is meant to start. Before the start, while the run warms up, and after the end it is not noted,
     * whatever becomes of it.
     */
    public Intent plan(long intendedAt, int client) {
        synchronized (lock) {
            Intent intent = new Intent(nextIndex++, client, intendedAt);
            if (counts(intendedAt)) {
                active.planned(1);
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
            if (open.contains(intent) && !intent.out(true)) {
                out++;
                watch.due(nowAt);
            }
        }
    }

    private void answeredNow(Intent intent, long at) {
        out -= intent.out(false) ? 1 : 0;
        watch.answered(at, intent.ageNanos(at), out > 0);
    }

    private void gaveUpNow(Intent intent, long at) {
        out -= intent.out(false) ? 1 : 0;
        watch.gaveUp(at, out > 0);
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
                out -= intent.out(false) ? 1 : 0;
                active.planned(-1);
            }
        }
    }

    public void answered(Intent intent, long completedAt) {
        intent.end(completedAt);
        synchronized (lock) {
            if (open.remove(intent)) {
                Exchange seen = intent.exchange(completedAt, Outcome.answered());
                if (seen.idleNanos > 0) {
                    watch.nothingToAnswer(seen.idleNanos, completedAt - seen.serviceNanos());
                }
                answeredNow(intent, completedAt);
                active.completed(seen);
                keeper.ended(seen, completedAt, true);
                books.of(intent.name()).answered(seen);
            }
        }
    }

    /** The reasons should be few: those beyond the first hundred are counted together. */
    public void failed(Intent intent, long completedAt, String reason) {
        intent.end(completedAt);
        synchronized (lock) {
            if (open.remove(intent)) {
                if (Reasons.couldNotConnect(reason)) {
                    gaveUpNow(intent, completedAt);
                } else {
                    answeredNow(intent, completedAt);
                }
                Exchange seen = intent.exchange(completedAt, reasons.outcome(reason));
                active.completed(seen);
                keeper.ended(seen, completedAt, false);
                books.of(intent.name()).failed(seen, seen.outcome.reason());
            }
        }
    }

    void timedOut(Intent intent, long deadlineAt) {
        intent.end(deadlineAt);
        synchronized (lock) {
            if (open.remove(intent)) {
                gaveUpNow(intent, deadlineAt);
                long ageNanos = intent.ageNanos(deadlineAt);
                Exchange seen = intent.exchange(deadlineAt, Outcome.timedOut());
                keeper.ended(seen, deadlineAt, false);
                if (intent.isSent()) {
                    active.timedOut(seen, ageNanos);
                    books.of(intent.name()).timedOut(seen, ageNanos);
                } else {
                    active.timedOutUnsent(intent.latenessNanos(deadlineAt), ageNanos);
                    books.of(intent.name()).timedOutUnsent(intent.latenessNanos(deadlineAt), ageNanos);
                }
            }
        }
    }

    /** A request that was planned and that its user, held back by an answer, did not come to before {@code nowAt}. */
    public void missed(long intendedAt, long nowAt, String name) {
        synchronized (lock) {
            if (counts(intendedAt)) {
                active.planned(1);
                active.neverSent(0, nowAt - intendedAt);
                books.of(name).neverSent(0, nowAt - intendedAt);
                lastIntendedAt = later(lastIntendedAt, intendedAt);
            }
        }
    }

    /** A planned request was not sent, and its user will not send it any more. */
    public void neverSent(Intent intent, long nowAt) {
        synchronized (lock) {
            if (open.remove(intent)) {
                neverSentNow(intent, nowAt);
            }
        }
    }

    /** One more or one fewer request waits for a throttle. */
    public void waiting(int change, long nowAt) {
        synchronized (lock) {
            waiting += change;
            if (waiting > peakWaiting) {
                peakWaiting = waiting;
                peakWaitingAt = nowAt;
            }
        }
    }

    /** Ends an interval. */
    public void flip(long nowAt) {
        synchronized (flipping) {
            flipAlone(nowAt);
        }
    }

    private void flipAlone(long nowAt) {
        CorrectedRecorder full;
        Map<String, RequestBook> named;
        long sinceAt;
        long silentNanos;
        long answers;
        synchronized (lock) {
            if (ended) {
                return;
            }
            full = active;
            active = spare;
            spare = full;
            named = books.exchange();
            sinceAt = flippedAt;
            flippedAt = nowAt;
            silentNanos = watch.takeSilentNanos(nowAt);
            answers = watch.answers();
        }
        keep(full, named, sinceAt, nowAt, strain(nowAt - sinceAt, silentNanos, answers));
    }

    private Strain strain(long lengthNanos, long silentNanos, long answers) {
        StrainWatch own = strain;
        return own == null ? Strain.NONE : own.next(Math.max(1, lengthNanos), silentNanos, answers, 0, 0);
    }

    private void keep(CorrectedRecorder full, Map<String, RequestBook> named, long sinceAt, long nowAt, Strain seen) {
        Recording recording = full.drain(seen.isStarved());
        long from = startAt();
        Interval interval =
                new Interval(sinceAt - from, later(sinceAt, nowAt) - from, recording, ConnectionCounts.NONE, seen);
        books.keep(named, interval);
        course.add(interval);
    }

    /** Ends the run: what is open is in flight, or was never sent, or was meant for later and does not count. */
    public void end(long endAt) {
        synchronized (flipping) { // or the interval that is being kept would be missing from the sum
            endAlone(endAt);
        }
    }

    private void endAlone(long endAt) {
        CorrectedRecorder last;
        Map<String, RequestBook> named;
        long sinceAt;
        long silentNanos;
        long answers;
        synchronized (lock) {
            if (ended) {
                return;
            }
            ended = true;
            open.forEach(intent -> {
                censor(intent, endAt);
                open.remove(intent);
            });
            last = active;
            named = books.exchange();
            sinceAt = flippedAt;
            interruptions = watch.end(endAt);
            silentNanos = watch.takeSilentNanos(endAt);
            answers = watch.answers();
        }
        keep(last, named, sinceAt, endAt, strain(endAt - sinceAt, silentNanos, answers));
    }

    private void censor(Intent intent, long endAt) {
        if (intent.intendedAt() - endAt > 0) {
            active.planned(-1);
        } else if (intent.isSent()) {
            Exchange seen = intent.exchange(endAt, Outcome.answered());
            keeper.ended(seen, endAt, false);
            active.inFlight(seen, intent.ageNanos(endAt));
            books.of(intent.name()).inFlight(seen, intent.ageNanos(endAt));
        } else {
            neverSentNow(intent, endAt);
        }
    }

    private void neverSentNow(Intent intent, long nowAt) {
        keeper.ended(intent.exchange(nowAt, Outcome.timedOut()), nowAt, false);
        active.neverSent(intent.latenessNanos(nowAt), intent.ageNanos(nowAt));
        books.of(intent.name()).neverSent(intent.latenessNanos(nowAt), intent.ageNanos(nowAt));
    }

    /** The same by name of request and by group; complete after {@link #end}. */
    public List<Requests> byName() {
        return books.all();
    }

    /** All that was counted, interval by interval; complete after {@link #end}. */
    public Course course() {
        return course;
    }

    /** The slowest requests in full, and a sample of all; after {@link #end}. */
    public KeptRequests kept() {
        synchronized (lock) {
            return keeper.kept();
        }
    }

    /** When no answers came; after {@link #end}. */
    public Interruptions interruptions() {
        synchronized (lock) {
            return interruptions;
        }
    }

    /** From the start to the last intended time. */
    public long windowNanos() {
        synchronized (lock) {
            return lastIntendedAt - startAt;
        }
    }

    /** Most requests that waited for a throttle at the same time. */
    public long peakWaiting() {
        synchronized (lock) {
            return peakWaiting;
        }
    }

    /** When that was, from the start. */
    public long peakWaitingNanos() {
        synchronized (lock) {
            return peakWaitingAt - startAt;
        }
    }
}
