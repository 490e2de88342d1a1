package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interval;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.ProcessDelays;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.selfcheck.DelayTotals;
import dev.downbeat.selfcheck.ProcessDelayWatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Both sides of a run's ledger: the requests planned and their fates. Requests still open at the end are censored.
 *
 * <p>Thread-safe. Gatling's event loops only push entries on a stack, without a lock: counters written by several
 * cores would be the largest cost of what the correction costs. {@link #enter} works the entries off in their order,
 * and so does every method that reads or ends.
 */
public final class Journal {
    private final AtomicReference<@Nullable Entry> posted = new AtomicReference<>();
    private final Object lock = new Object();
    private final OpenIntents open = new OpenIntents();
    private final RequestAccounts accounts;
    private final RequestTimeline timeline;
    private long startAt;
    private Answers answers;
    private long intervalAt;
    private long nextIndex;
    private long early;
    private long lastIntendedAt;
    private Interruptions interruptions = Interruptions.UNKNOWN;
    private @Nullable ProcessDelayWatch processDelays;
    private volatile DelayTotals delays = DelayTotals.IDEAL;
    private final ThrottledCount throttled;
    private boolean anySent;
    private volatile boolean ended;

    /** A reported event that is not in the accounts yet. */
    private abstract static class Entry {
        private @Nullable Entry earlier;

        abstract void enter();
    }

    /**
     * A journal of requests intended for {@code startAt} or later.
     *
     * @param cold whether Gatling may still be loading code then
     */
    public Journal(long startAt, boolean cold) {
        this.startAt = startAt;
        this.accounts = new RequestAccounts(startAt);
        this.timeline = new RequestTimeline(accounts::groupsOf);
        this.answers = new Answers(startAt);
        if (cold) {
            answers.watch().startsCold();
        }
        this.intervalAt = startAt;
        this.lastIntendedAt = startAt;
        this.throttled = new ThrottledCount(startAt);
    }

    public long startAt() {
        return locked(() -> startAt);
    }

    private void post(Entry entry) {
        if (ended) {
            return;
        }
        do {
            entry.earlier = posted.get();
        } while (!posted.compareAndSet(entry.earlier, entry));
    }

    /**
     * Enters what was reported so far. Called often, so that entries are still in the processor's cache.
     *
     * @return the number of entries
     */
    public int enter() {
        synchronized (lock) {
            return ended ? 0 : enterPosted();
        }
    }

    private int enterPosted() {
        int count = 0;
        Entry first = null;
        Entry entry = posted.getAndSet(null);
        while (entry != null) {
            Entry earlier = entry.earlier;
            entry.earlier = first;
            first = entry;
            entry = earlier;
        }
        for (entry = first; entry != null; entry = entry.earlier) {
            entry.enter();
            count++;
        }
        return count;
    }

    /**
     * Discards all requests intended for an earlier instant, as warm-up.
     *
     * @return the number of requests discarded
     */
    public long restart(long nowAt) {
        synchronized (lock) {
            endInterval(nowAt);
            if (ended) {
                return 0;
            }
            open.forEach(intent -> {
                if (intent.intendedAt() - nowAt < 0) {
                    open.remove(intent);
                }
            });
            long forgotten = timeline.planned() - open.size();
            startAt = nowAt;
            lastIntendedAt = nowAt;
            open.forEach(intent -> lastIntendedAt = later(lastIntendedAt, intent.intendedAt()));
            throttled.restart(nowAt);
            answers = new Answers(nowAt);
            accounts.restart(nowAt);
            accounts.planned(open.size());
            timeline.clear();
            return forgotten;
        }
    }

    /**
     * Records an intended request. It is ignored before the start, during warm-up, and after the end, whatever its
     * fate.
     */
    public IntendedRequest plan(long intendedAt, int client) {
        IntendedRequest intent = new IntendedRequest(client, intendedAt);
        post(new Entry() {
            @Override
            void enter() {
                planned(intent, intendedAt);
            }
        });
        return intent;
    }

    /** Records an intended request that is sent now. What is known of it must be set before. */
    public void planSent(IntendedRequest intent, long nowAt) {
        long intendedAt = intent.intendedAt();
        intent.send(nowAt);
        post(new Entry() {
            @Override
            void enter() {
                planned(intent, intendedAt);
                due(intent, nowAt);
            }
        });
    }

    private void planned(IntendedRequest intent, long intendedAt) {
        intent.number(nextIndex++);
        classify(intent, intendedAt);
    }

    private void classify(IntendedRequest intent, long intendedAt) {
        if (intendedAt - startAt >= 0) {
            if (!open.contains(intent)) {
                accounts.planned(1);
                open.add(intent);
            }
            lastIntendedAt = later(lastIntendedAt, intendedAt);
            early -= intent.markEarly(false);
        } else {
            early += intent.markEarly(true);
        }
    }

    /** The user pauses, or waits at a rendez-vous, before a request: it is intended for later. */
    public void move(IntendedRequest intent, long laterAt) {
        intent.moveTo(laterAt);
        post(new Entry() {
            @Override
            void enter() {
                classify(intent, laterAt);
            }
        });
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    /** A request was sent, or passed to Downbeat's own transport: a response is awaited. */
    public void sent(IntendedRequest intent, long nowAt) {
        post(new Entry() {
            @Override
            void enter() {
                due(intent, nowAt);
            }
        });
    }

    private void due(IntendedRequest intent, long nowAt) {
        anySent = true;
        if (open.contains(intent)) {
            answers.due(intent, nowAt);
        }
    }

    /** Records the condition of this process in each interval. */
    public void watchDelays(DelayTotals own) {
        synchronized (lock) {
            delays = own;
            processDelays = new ProcessDelayWatch(own);
        }
    }

    /** The request did not exist after all, because its user took another path. */
    public void withdraw(IntendedRequest intent) {
        post(new Entry() {
            @Override
            void enter() {
                if (open.remove(intent)) {
                    answers.withdraw(intent);
                    accounts.planned(-1);
                } else {
                    early -= intent.markEarly(false);
                }
            }
        });
    }

    public void answered(IntendedRequest intent, long completedAt) {
        intent.end(completedAt);
        post(new Entry() {
            @Override
            void enter() {
                if (open.remove(intent)) {
                    answers.idled(accounts.answered(intent, completedAt));
                    answers.answered(intent, completedAt);
                }
            }
        });
    }

    /** Reasons should be few; after the first hundred, further ones are counted together. */
    public void failed(IntendedRequest intent, long completedAt, String reason) {
        intent.end(completedAt);
        post(new Entry() {
            @Override
            void enter() {
                if (open.remove(intent)) {
                    if (FailureReasons.couldNotConnect(intent, reason)) {
                        answers.gaveUp(intent, completedAt);
                    } else {
                        answers.answered(intent, completedAt);
                    }
                    accounts.failed(intent, completedAt, reason);
                }
            }
        });
    }

    /** The simulation could not build the request: a failure, but no response of the service. */
    public void unbuilt(IntendedRequest intent, long nowAt, String reason) {
        intent.end(nowAt);
        post(new Entry() {
            @Override
            void enter() {
                if (open.remove(intent)) {
                    answers.withdraw(intent);
                    accounts.unbuilt(intent, nowAt, reason);
                }
            }
        });
    }

    void timedOut(IntendedRequest intent, long deadlineAt) {
        intent.end(deadlineAt);
        post(new Entry() {
            @Override
            void enter() {
                if (open.remove(intent)) {
                    answers.gaveUp(intent, deadlineAt);
                    accounts.timedOut(intent, deadlineAt);
                }
            }
        });
    }

    /** A planned request that its user, waiting for a response, did not reach before {@code nowAt}. */
    public void missed(long intendedAt, long nowAt, String name) {
        post(new Entry() {
            @Override
            void enter() {
                if (intendedAt - startAt >= 0) {
                    accounts.missed(name, nowAt - intendedAt);
                    lastIntendedAt = later(lastIntendedAt, intendedAt);
                }
            }
        });
    }

    /** A planned request was not sent and never will be. */
    public void neverSent(IntendedRequest intent, long nowAt) {
        post(new Entry() {
            @Override
            void enter() {
                if (open.remove(intent)) {
                    accounts.neverSent(intent, nowAt);
                }
            }
        });
    }

    /** A request waits for a throttle. */
    public void held(IntendedRequest intent, long nowAt) {
        intent.holdBack(nowAt, delays.totalNanos());
        waiting(1, nowAt);
    }

    /** A throttle lets a request go. */
    public void released(IntendedRequest intent, long nowAt) {
        intent.letGo(nowAt, delays.totalNanos());
        waiting(-1, nowAt);
    }

    /** The number of requests waiting for a throttle or a connection has changed. */
    public void waiting(int change, long nowAt) {
        post(new Entry() {
            @Override
            void enter() {
                throttled.add(change, nowAt);
            }
        });
    }

    public void endInterval(long nowAt) {
        synchronized (lock) {
            if (!ended) {
                enterPosted();
                keepInterval(nowAt);
            }
        }
    }

    /** Ends the run: an open request is in flight, was never sent, or was intended for later and is ignored. */
    public void end(long endAt) {
        synchronized (lock) {
            if (ended) {
                return;
            }
            enterPosted();
            ended = true;
            open.forEach(intent -> {
                censor(intent, endAt);
                open.remove(intent);
            });
            interruptions = answers.watch().end(endAt);
            keepInterval(endAt);
        }
    }

    private void keepInterval(long nowAt) {
        long silentNanos = answers.watch().takeSilentNanos(nowAt);
        long count = answers.watch().answers();
        ProcessDelays ownDelays = processDelays == null
                ? ProcessDelays.NONE
                : processDelays.next(Math.max(1, nowAt - intervalAt), silentNanos, count, 0, 0, 0);
        timeline.add(new Interval(
                intervalAt - startAt,
                later(intervalAt, nowAt) - startAt,
                accounts.drain(ownDelays.isStarved()),
                ConnectionCounts.NONE,
                ownDelays));
        intervalAt = nowAt;
    }

    private void censor(IntendedRequest intent, long endAt) {
        if (intent.intendedAt() - endAt > 0) {
            accounts.planned(-1);
        } else if (intent.isSent()) {
            accounts.inFlight(intent, endAt);
        } else {
            intent.letGo(endAt, delays.totalNanos());
            accounts.neverSent(intent, endAt);
        }
    }

    /** All counts by interval; complete after {@link #end}. */
    public RequestTimeline timeline() {
        return timeline;
    }

    /** The part of {@link #timeline} that Gatling's own paces would not have sent; after {@link #end}, once. */
    public Recording overdue() {
        return locked(() -> accounts.overdue());
    }

    /** The slowest complete requests, and a sample of all; after {@link #end}. */
    public KeptRequests kept() {
        return locked(() -> accounts.kept());
    }

    /** Gaps between responses; after {@link #end}. */
    public Interruptions interruptions() {
        return locked(() -> interruptions);
    }

    /** Requests that were ignored because they were intended before the start. */
    public long early() {
        return locked(() -> early);
    }

    /** From the start to the last intended start. */
    public long windowNanos() {
        return locked(() -> lastIntendedAt - startAt);
    }

    /** Whether any request was sent, even one that is not counted. */
    public boolean isAnySent() {
        return locked(() -> anySent);
    }

    /** The maximum number of requests waiting for a throttle. */
    public long peakWaiting() {
        return locked(throttled::peak);
    }

    /** When that was, from the start. */
    public long peakWaitingNanos() {
        return locked(() -> throttled.peakAt() - startAt);
    }

    private <T> T locked(Supplier<T> query) {
        synchronized (lock) {
            return query.get();
        }
    }

    /** Tracks which requests wait for a response, and when responses arrived. Not thread-safe. */
    private static final class Answers {
        private final ResponseGapDetector watch = new ResponseGapDetector();
        private final BurstBound burstBound = new BurstBound();
        private long inFlight;

        Answers(long startAt) {
            watch.startsAt(startAt);
        }

        ResponseGapDetector watch() {
            return watch;
        }

        void due(IntendedRequest intent, long nowAt) {
            if (!intent.awaitResponse(true)) {
                intent.setBurst(burstBound.leaves(intent.latenessNanos(nowAt), inFlight, nowAt));
                inFlight++;
                watch.due(nowAt);
            }
        }

        void withdraw(IntendedRequest intent) {
            if (ended(intent)) {
                watch.withdrawn(inFlight > 0);
            }
        }

        private boolean ended(IntendedRequest intent) {
            boolean wasOut = intent.awaitResponse(false);
            inFlight -= wasOut ? 1 : 0;
            return wasOut;
        }

        /** The request had nothing to receive for part of its time; called before {@link #answered}. */
        void idled(Exchange exchange) {
            if (exchange.idleNanos > 0) {
                watch.nothingToAnswer(exchange.idleNanos, exchange.completedAt - exchange.serviceNanos());
            }
        }

        void answered(IntendedRequest intent, long at) {
            ended(intent);
            watch.answered(at, intent.ageNanos(at), inFlight > 0);
        }

        void gaveUp(IntendedRequest intent, long at) {
            ended(intent);
            watch.gaveUp(at, inFlight > 0);
        }
    }

    /**
     * Open requests as an intrusive linked list. Adding one allocates nothing and writes to no table, which would burden
     * the garbage collector. Not thread-safe.
     */
    private static final class OpenIntents {
        private @Nullable IntendedRequest newest;
        private int size;

        void add(IntendedRequest intent) {
            IntendedRequest older = newest;
            intent.older = older;
            intent.newer = null;
            intent.isOpen = true;
            if (older != null) {
                older.newer = intent;
            }
            newest = intent;
            size++;
        }

        boolean contains(IntendedRequest intent) {
            return intent.isOpen;
        }

        /** Removes a request; false if it was absent. */
        boolean remove(IntendedRequest intent) {
            if (!intent.isOpen) {
                return false;
            }
            IntendedRequest older = intent.older;
            IntendedRequest newer = intent.newer;
            if (newer == null) {
                newest = older;
            } else {
                newer.older = older;
            }
            if (older != null) {
                older.newer = newer;
            }
            intent.older = null;
            intent.newer = null;
            intent.isOpen = false;
            size--;
            return true;
        }

        int size() {
            return size;
        }

        /** Visits the requests, newest first; only the visited request may be removed meanwhile. */
        void forEach(Consumer<IntendedRequest> visitor) {
            IntendedRequest intent = newest;
            while (intent != null) {
                IntendedRequest next = intent.older;
                visitor.accept(intent);
                intent = next;
            }
        }
    }

    /** The number of requests waiting for a throttle, and its maximum. Not thread-safe. */
    private static final class ThrottledCount {
        private long count;
        private long peak;
        private long peakAt;

        ThrottledCount(long startAt) {
            peakAt = startAt;
        }

        void add(int change, long nowAt) {
            count += change;
            if (count > peak) {
                peak = count;
                peakAt = nowAt;
            }
        }

        void restart(long nowAt) {
            peak = count;
            peakAt = nowAt;
        }

        long peak() {
            return peak;
        }

        long peakAt() {
            return peakAt;
        }
    }
}
