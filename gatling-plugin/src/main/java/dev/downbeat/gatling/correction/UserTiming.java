package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.Journal;
import io.gatling.core.session.Session;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The intended start of a virtual user's next request. Stored in the user's session under a private key that survives a
 * reset of the session.
 *
 * <p>The intended start of a user's first request is its injection time; of an iteration of a paced loop, its due time;
 * and after a pause, the end of the pause. Any other request is intended for when it is sent: what its user did since
 * the last response, such as code of the simulation, resources of a page or silent requests, is no wait for it.
 *
 * <p>Thread-safe, although one event loop makes nearly all calls.
 */
public final class UserTiming {
    static final String ATTRIBUTE = "gatling.downbeat";

    private final Journal journal;
    private final CorrectedPopulation population;
    private final int client;
    private final IntendedRequest first;
    private @Nullable IdentityHashMap<Object, Long> dueAts;
    private @Nullable IdentityHashMap<Object, Long> lags;
    private @Nullable IntendedRequest pending;
    private @Nullable ArrayDeque<IntendedRequest> throttled; // several, if a page's resources wait for the throttle
    private @Nullable IntendedRequest last;
    private boolean overrunKnown;
    private long overrunUntil;
    private boolean overdue;
    private boolean paused;
    private long resumesAt;
    private @Nullable PacedLoop loop;
    private @Nullable Object plannedBy; // the pace that planned the pending request
    private boolean sentNothing;

    UserTiming(Journal journal, CorrectedPopulation population, int client, IntendedRequest first) {
        this.journal = journal;
        this.population = population;
        this.client = client;
        this.first = first;
        this.pending = first;
    }

    /** The timing of a session; null if Downbeat did not start the user. */
    public static @Nullable UserTiming of(Session session) {
        scala.Option<Object> found = session.attributes().get(ATTRIBUTE);
        return found.isDefined() && found.get() instanceof UserTiming timing ? timing : null;
    }

    CorrectedPopulation population() {
        return population;
    }

    Journal journal() {
        return journal;
    }

    /** The user reaches a request, which may be impossible to send. */
    synchronized void comesToRequest() {
        sentNothing = true;
    }

    /** Whether the user has sent nothing since it came to its last request, and no request was reported as crashed. */
    synchronized boolean sentNothing() {
        return sentNothing;
    }

    synchronized IntendedRequest send(long nowAt, scala.collection.immutable.List<String> groups, String request) {
        sentNothing = false;
        IntendedRequest intent = takeReady(nowAt);
        if (intent == null) {
            intent = new IntendedRequest(client, nextAt(nowAt));
            followed(intent);
            intent.name(groups, request);
            journal.planSent(intent, nowAt);
        } else {
            intent.send(nowAt);
            intent.name(groups, request);
            journal.sent(intent, nowAt);
        }
        paused = false;
        last = intent;
        return intent;
    }

    /** The request passed to Downbeat's own transport now; it is sent once a connection is free. */
    public synchronized IntendedRequest handOver(
            long nowAt, scala.collection.immutable.List<String> groups, String request) {
        sentNothing = false;
        IntendedRequest intent = next(nowAt);
        intent.name(groups, request);
        last = intent;
        intent.dispatch(nowAt);
        journal.waiting(1, nowAt);
        journal.sent(intent, nowAt);
        return intent;
    }

    /** A request is ready but must wait for a throttle. */
    synchronized void holdForThrottle(long nowAt) {
        IntendedRequest intent = takePending(nowAt);
        if (throttled == null) {
            throttled = new ArrayDeque<>(2); // most users have no throttle
        }
        throttled.add(intent);
        journal.held(intent, nowAt);
    }

    /** The request that waited longest for its throttle, or else the pending one; null if there is neither. */
    private @Nullable IntendedRequest takeReady(long nowAt) {
        IntendedRequest intent = throttled == null ? null : throttled.poll();
        if (intent != null) {
            journal.released(intent, nowAt);
            return intent;
        }
        intent = pending;
        pending = null;
        return intent;
    }

    /** The pending request, or else a new one. */
    private IntendedRequest takePending(long nowAt) {
        IntendedRequest intent = pending;
        pending = null;
        if (intent == null) {
            intent = journal.plan(nextAt(nowAt), client);
            followed(intent);
        }
        paused = false;
        return intent;
    }

    private IntendedRequest next(long nowAt) {
        IntendedRequest ready = takeReady(nowAt);
        IntendedRequest intent = ready == null ? takePending(nowAt) : ready;
        paused = false;
        return intent;
    }

    private long nextAt(long nowAt) {
        return paused && resumesAt - nowAt < 0 ? resumesAt : nowAt;
    }

    private void followed(IntendedRequest intent) {
        markOverdue(intent);
        population.followed(1, loop != null);
    }

    /**
     * A pause begins, and the next request is intended for its end. The pause counts from the planned time, not from a
     * late one.
     *
     * @return the end of the pause
     */
    synchronized long pause(long nanos, long nowAt) {
        IntendedRequest intent = pending;
        if (intent != null) {
            journal.move(intent, intent.intendedAt() + nanos);
            return intent.intendedAt();
        }
        resumesAt = (paused ? resumesAt : nowAt) + nanos;
        paused = true;
        return resumesAt;
    }

    /** The wait so far was deliberate, such as at a rendez-vous: the next request is intended for now. */
    synchronized void realign(long nowAt) {
        IntendedRequest intent = pending;
        if (intent != null) {
            journal.move(intent, nowAt);
        }
        paused = false;
    }

    /**
     * When an iteration of a paced loop is due: one interval after the previous due time, however late that iteration
     * was.
     *
     * @param pace identifies the loop
     * @param fresh whether the loop is entered anew, so that earlier due times no longer apply
     */
    synchronized long dueAt(Object pace, boolean fresh, long intervalNanos, long nowAt) {
        iterated(pace);
        Long last = dueAts == null ? null : dueAts.get(pace);
        if (last != null && !fresh) {
            return last + intervalNanos;
        }
        IntendedRequest intent = pending;
        if (intent != null) {
            return intent.intendedAt(); // of the pace around this one, for which the user may be late
        }
        long beginAt = nextAt(nowAt); // who woke late from a pause is late for the first iteration
        return last != null && last + intervalNanos - beginAt > 0 ? last + intervalNanos : beginAt;
    }

    /** An unplanned iteration begins; the next paced one is due an interval after it. */
    synchronized void unpaced(Object pace, long nowAt) {
        iterated(pace);
        began(pace, nowAt);
        overdue = false;
        loop = null;
    }

    /** The iteration before is over; if it sent no request, none was planned for it. */
    private void iterated(Object pace) {
        IntendedRequest intent = pending;
        if (intent != null && plannedBy == pace) {
            pending = null;
            withdraw(intent);
        }
    }

    /** A request did not exist after all; all but the injected ones were counted when they were planned. */
    private void withdraw(IntendedRequest intent) {
        journal.withdraw(intent);
        if (intent.isIteration()) {
            population.paced(-1);
        } else if (intent != first) {
            population.followed(-1, loop != null);
        }
    }

    private void began(Object pace, long dueAt) {
        if (dueAts == null) {
            dueAts = new IdentityHashMap<>(2); // most users have no pace
        }
        dueAts.put(pace, dueAt);
    }

    /** How much later than its first due time the loop around a pace was entered. */
    synchronized long lag(Object pace, PacedLoop around, long dueAt) {
        IdentityHashMap<Object, Long> known = lags;
        if (around.isFirst()) {
            long lagNanos = around.lagAfter(dueAt);
            if (lagNanos > 0 || known != null) {
                lags = known == null ? new IdentityHashMap<>(2) : known;
                lags.put(pace, lagNanos);
            }
            return lagNanos;
        }
        return known == null ? 0 : known.getOrDefault(pace, 0L);
    }

    /** An iteration begins late; returns the one to run, a later one if earlier ones are skipped. */
    synchronized PacedLoop late(PacedLoop due, long nowAt) {
        long skippable = due.skippable(nowAt);
        if (!overrunKnown || due.dueAt() - overrunUntil >= 0) {
            overrunKnown = true;
            overrunUntil = due.dueAt() + skippable * due.intervalNanos();
        }
        if (!population.skips()) {
            return due;
        }
        for (long i = 0; i < skippable; i++) {
            journal.missed(due.dueAt() + i * due.intervalNanos(), nowAt, IntendedRequest.SKIPPED);
            population.paced(1);
        }
        return due.at(due.dueAt() + skippable * due.intervalNanos(), due.intervalNanos());
    }

    synchronized void iterate(Object pace, PacedLoop around) {
        long dueAt = around.dueAt();
        began(pace, dueAt);
        loop = around;
        plannedBy = pace;
        paused = false;
        overdue = overrunKnown && dueAt - overrunUntil < 0;
        IntendedRequest intent = pending;
        if (intent != null && intent.intendedAt() == dueAt) {
            markOverdue(intent);
            return;
        }
        if (intent != null) {
            withdraw(intent); // of another pace, whose iteration sent no request
        }
        IntendedRequest planned = journal.plan(dueAt, client);
        markOverdue(planned);
        if (around.isLate()) {
            long nowAt = System.nanoTime();
            planned.heldBackUntil(last == null ? nowAt : last.endedAt(nowAt));
        }
        planned.iterate();
        pending = planned;
        population.paced(1);
    }

    private void markOverdue(IntendedRequest intent) {
        if (overdue) {
            intent.overdue();
        }
    }

    /** A request was sent, or could not be built, that Gatling is configured not to report. */
    synchronized void silent() {
        sentNothing = false;
        IntendedRequest intent = takeReady(System.nanoTime());
        paused = false;
        if (intent != null) {
            withdraw(intent);
        }
    }

    synchronized void crashed(scala.collection.immutable.List<String> groups, String request, String reason) {
        sentNothing = false;
        long nowAt = System.nanoTime();
        IntendedRequest intent = next(nowAt);
        intent.name(groups, request);
        journal.unbuilt(intent, nowAt, reason);
    }

    /** The user has left a block, which may have been the paced loop or one around it. */
    synchronized void continueAfterBlock(Session session, long nowAt) {
        PacedLoop around = loop;
        if (around != null && !around.isAround(session)) {
            leave(around, session, nowAt);
        }
    }

    /** From now on, the loop plans nothing, however long the user's next steps take. */
    private void leave(PacedLoop around, Session session, long nowAt) {
        IntendedRequest intent = pending;
        pending = null;
        boolean isCutOff = false;
        if (around.isTimed()) {
            PacedLoop left = around.withSession(session);
            isCutOff = intent != null && left.wants(intent.intendedAt(), 0) && !left.wants(nowAt, 0);
            left.missedUntil(nowAt, journal);
        }
        if (intent != null && isCutOff) {
            journal.neverSent(intent, nowAt);
        } else if (intent != null) {
            withdraw(intent);
        }
        overdue = false;
        loop = null;
    }

    synchronized void left(Session session, long nowAt) {
        PacedLoop around = loop;
        if (around != null) {
            leave(around, session, nowAt);
        }
        IntendedRequest intent = pending;
        pending = null;
        if (intent != null) {
            withdraw(intent);
        }
    }

    /** The run ended with the user still active; the journal handles its open requests. */
    synchronized void stopped(long nowAt) {
        PacedLoop around = loop;
        if (around != null) {
            around.missedUntil(nowAt, journal);
        }
    }
}
