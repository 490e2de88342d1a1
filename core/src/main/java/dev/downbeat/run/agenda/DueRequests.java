package dev.downbeat.run.agenda;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.time.NanoClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The intended starts of one generator as instants: what is due, when the next is, the backlog, the end, and the number
 * planned. It never skips or moves an intended start. Owned by the generator's thread.
 */
public final class DueRequests {
    /** The time allowed for requests in flight when a run is stopped; a stop must complete within a second. */
    private static final long STOP_DRAIN_NANOS = 400_000_000;

    /** The interval between backlog measurements, each of which may take time proportional to the number of clients. */
    private static final long PEAK_NANOS = 1_000_000;

    private final RunPlan plan;
    private final long firstIndex;
    private final Agenda agenda;
    private long startAt;

    /** The end of the intended starts, relative to the start of the run like the field below. */
    private long endNanos;

    private long drainUntilNanos;
    private boolean stopping;
    private long stoppedAt;
    private boolean stoppingUrgently;
    private long planned;
    private long nextPeakAt;
    private long peakBacklog;
    private long peakBacklogNanos;

    /**
     * The requests of one generator.
     *
     * @param share index of the generator in this process
     * @param firstIndex added to the index of each request
     */
    public DueRequests(RunPlan plan, int share, long firstIndex) {
        this.plan = plan;
        this.firstIndex = firstIndex;
        this.agenda = agenda(plan, plan.globalIndex(share), plan.shares());
    }

    /** The requests of one of several generators; a workload does not know how it is executed. */
    static Agenda agenda(RunPlan plan, int share, int shares) {
        Workload workload = plan.workload();
        if (workload instanceof Workload.Open open) {
            return new OpenAgenda(open.arrivals(), share, shares, plan);
        }
        if (workload instanceof Workload.Closed closed) {
            return new ClosedAgenda(closed, share, shares, plan);
        }
        if (workload instanceof Workload.PartlyOpen sessions) {
            return new SessionAgenda(sessions, share, shares, plan);
        }
        Workload.External external = (Workload.External) workload;
        throw new IllegalStateException(
                "a workload that is driven from outside cannot be run: " + external.description());
    }

    /** Sets the start of the run; call this first. */
    public void startsAt(long runStartAt) {
        startAt = runStartAt;
        nextPeakAt = runStartAt;
        endNanos = plan.durationNanos();
        drainUntilNanos = endNanos == Agenda.NONE ? Agenda.NONE : endNanos + plan.drainNanos();
    }

    /**
     * Ends the schedule.
     *
     * @param isUrgent whether requests in flight get only a moment to finish, or the full drain time
     */
    public void stop(long now, boolean isUrgent) {
        if (stopping && isUrgent == stoppingUrgently) {
            return;
        }
        stoppedAt = stopping ? stoppedAt : now;
        stopping = true;
        stoppingUrgently = isUrgent;
        long nanos = now - startAt;
        endNanos = Math.min(endNanos, Math.max(0, nanos + 1)); // requests due now were intended
        long drainNanos = isUrgent ? Math.min(plan.drainNanos(), STOP_DRAIN_NANOS) : plan.drainNanos();
        drainUntilNanos = Math.min(drainUntilNanos, nanos + drainNanos);
    }

    public boolean isStopping() {
        return stopping;
    }

    /** When requests could last be sent: at the stop, or now if there was none. */
    public long couldSendAt(long now) {
        return stopping ? stoppedAt : now;
    }

    /** Whether a request is due and not taken. */
    public boolean isDue(long now) {
        return agenda.nextNanos() <= now - startAt;
    }

    /** The intended start of the next request; one must be due. */
    public long nextIntendedAt() {
        return startAt + agenda.nextNanos();
    }

    public long take(Exchange exchange) {
        long nanos = agenda.take(exchange);
        exchange.index += firstIndex;
        return startAt + nanos;
    }

    /** A request that was taken has ended or timed out. */
    public void ended(Exchange exchange, long at) {
        agenda.ended(exchange, at - startAt);
    }

    /** Whether nothing more can be sent before a completion. */
    public boolean isExhausted() {
        return stopping || agenda.nextNanos() == Agenda.NONE;
    }

    /** Whether the time for requests in flight has passed. */
    public boolean isDrained(long now) {
        return now - startAt >= drainUntilNanos;
    }

    /** Allows requests in flight until then. */
    public void drainUntil(long at) {
        drainUntilNanos = at - startAt;
    }

    /**
     * When the schedule next needs attention.
     *
     * @param at upper limit of the result
     * @param canSend whether the next request can be sent when due
     */
    public long nextAt(long at, boolean canSend) {
        long next = at;
        if (canSend && !isExhausted()) {
            next = NanoClock.earlier(next, startAt + agenda.nextNanos());
        }
        return drainUntilNanos == Agenda.NONE ? next : NanoClock.earlier(next, startAt + drainUntilNanos);
    }

    /** The number of requests due and not taken. */
    public long backlog(long now) {
        return agenda.backlogAt(plannedUntil(now));
    }

    public long taken() {
        return agenda.taken();
    }

    /** How long the next request has been due, in nanoseconds; 0 if it is not. */
    public long behindNanos(long now) {
        return Math.max(0, plannedUntil(now) - agenda.nextNanos());
    }

    /** The time up to which requests have been intended. */
    private long plannedUntil(long now) {
        return Math.max(0, Math.min(now - startAt, endNanos));
    }

    /** The number of requests intended since the last call. */
    public long newlyPlanned(long now) {
        return plannedSince(agenda.taken() + backlog(now));
    }

    private long plannedSince(long soFar) {
        long since = soFar - planned;
        planned = soFar;
        return since;
    }

    /**
     * Gives up the requests that were never taken.
     *
     * @param unsent identifies the request at each call
     * @param neverSent called with each intended start, in order
     * @return the number of requests intended since {@link #newlyPlanned}, computed from the workload
     */
    public long end(long now, Exchange unsent, LongConsumer neverSent) {
        long lastNanos = Math.min(endNanos, Math.max(0, now - startAt + 1)); // requests due now were intended
        agenda.abandonRest(lastNanos, unsent, nanos -> neverSent.accept(startAt + nanos));
        return plannedSince(agenda.plannedBefore(lastNanos));
    }

    /** Measures the backlog periodically while no slot is free. */
    public void watchBacklog(long now) {
        if (now - nextPeakAt >= 0) {
            nextPeakAt = now + PEAK_NANOS;
            long waiting = backlog(now);
            if (waiting > peakBacklog) {
                peakBacklog = waiting;
                peakBacklogNanos = now - startAt;
            }
        }
    }

    public long peakBacklog() {
        return peakBacklog;
    }

    /** The time of the longest backlog, from the start of the run. */
    public long peakBacklogNanos() {
        return peakBacklogNanos;
    }

    /** One pass over the intended starts, limited to the end of the plan. */
    private static final class Cursor {
        private final IntendedTimes times;
        private final long endNanos;
        private final long endIndex;
        private final int requests;
        long nextNanos;
        long nextIndex;
        long passed;

        /** Each time begins a number of requests. */
        Cursor(IntendedTimes times, RunPlan plan, int requests) {
            this.times = times;
            this.endNanos = plan.durationNanos();
            this.endIndex = plan.maxRequests();
            this.requests = requests;
            load();
        }

        private void load() {
            long nanos = times.nextNanos();
            nextIndex = times.index();
            nextNanos = nanos >= endNanos || nextIndex * requests >= endIndex ? Agenda.NONE : nanos;
        }

        long pass() {
            long nanos = nextNanos;
            passed++;
            load();
            return nanos;
        }

        /** Passes all times before then; how many were passed. */
        long passedBefore(long nanos) {
            while (nextNanos < nanos) {
                pass();
            }
            return passed;
        }
    }

    /**
     * Two cursors over the same arrival process. Requests are taken from one. The other counts those that have become due:
     * the other side of the ledger and the length of the backlog, both without storage.
     */
    private static final class OpenAgenda implements Agenda {
        private final Cursor taken;
        private final Cursor due;

        OpenAgenda(ArrivalProcess arrivals, int share, int shares, RunPlan plan) {
            taken = new Cursor(arrivals.times(share, shares), plan, 1);
            due = new Cursor(arrivals.times(share, shares), plan, 1);
        }

        @Override
        public long nextNanos() {
            return taken.nextNanos;
        }

        @Override
        public long take(Exchange exchange) {
            exchange.index = taken.nextIndex;
            exchange.client = 0;
            exchange.session = taken.nextIndex;
            exchange.step = 0;
            return taken.pass();
        }

        @Override
        public void ended(Exchange exchange, long atNanos) {}

        @Override
        public long taken() {
            return taken.passed;
        }

        @Override
        public long plannedBefore(long nanos) {
            return due.passedBefore(nanos);
        }
    }

    /**
     * Clients with a think time between a response and the next request. The next intended start depends on the response,
     * so planned requests cannot be counted without completions.
     *
     * <p>A session gets its number when it is planned, and its requests have theirs from it. If one client waits for long,
     * the others thus use every number below the limit. A generator has the numbers of its clients, so that a limited
     * number of requests is divided like the clients.
     */
    private static final class ClosedAgenda implements Agenda {
        private final ThinkTime think;
        private final int share;
        private final int shares;
        private final int clients;
        private final int ownClients;
        private final int steps;
        private final long endNanos;
        private final long endIndex;
        private final DueClients due;
        private final long[] requests;

        /** Each client's session, and the position in it of its next request. */
        private final long[] sessions;

        private final int[] positions;
        private long planned;
        private long taken;

        ClosedAgenda(Workload.Closed workload, int share, int shares, RunPlan plan) {
            this.think = workload.think();
            this.share = share;
            this.shares = shares;
            this.endNanos = plan.durationNanos();
            this.endIndex = plan.maxRequests();
            this.clients = workload.clients();
            this.steps = workload.think().steps();
            this.ownClients = (clients - share + shares - 1) / shares;
            this.requests = new long[ownClients];
            this.sessions = new long[ownClients];
            this.positions = new int[ownClients];
            this.due = new DueClients(ownClients);
            for (int client = 0; client < ownClients; client++) {
                plan(client, 0);
            }
        }

        /** Plans the client's next request, if there is one before the end. */
        private void plan(int client, long nanos) {
            if (nanos >= endNanos) {
                return;
            }
            if (positions[client] == 0) {
                sessions[client] = clientOf(planned % ownClients) + planned / ownClients * clients;
                planned++;
            }
            if (index(client) < endIndex) {
                due.add(client, nanos);
            }
        }

        private long clientOf(long place) {
            return share + place * shares;
        }

        private long index(int client) {
            return sessions[client] * steps + positions[client];
        }

        @Override
        public long nextNanos() {
            return due.isEmpty() ? NONE : due.firstNanos();
        }

        @Override
        public long take(Exchange exchange) {
            taken++;
            long nanos = due.firstNanos();
            int client = due.removeFirst();
            exchange.index = index(client);
            exchange.client = client;
            exchange.session = sessions[client];
            exchange.step = positions[client];
            return nanos;
        }

        @Override
        public void ended(Exchange exchange, long atNanos) {
            int client = exchange.client;
            positions[client] = exchange.step + 1 == steps ? 0 : exchange.step + 1;
            plan(client, atNanos + think.pauseNanos(clientOf(client), ++requests[client]));
        }

        @Override
        public long taken() {
            return taken;
        }

        @Override
        public long plannedBefore(long nanos) {
            return taken + due.countBefore(nanos);
        }
    }

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

        /** A request that was taken has ended or timed out. */
        void ended(Exchange exchange, long atNanos);

        /** The number of requests due before {@code nanos} and not taken; {@code nanos} must not decrease. */
        default long backlogAt(long nanos) {
            return Math.max(0, plannedBefore(nanos) - taken());
        }

        long taken();

        /**
         * The number of requests intended to start before {@code nanos}: the other side of the ledger, computed once at the
         * end. Where possible it is computed from the workload, not from the requests taken.
         */
        long plannedBefore(long nanos);

        /** Takes each request intended before {@code nanos}, in order; nothing is taken afterwards. */
        default void abandonRest(long nanos, Exchange unsent, LongConsumer intended) {
            while (nextNanos() < nanos) {
                intended.accept(take(unsent));
            }
        }
    }

    /**
     * Sessions that arrive openly, each with a think time between a response and its next request. Only active sessions
     * use memory; those delayed by a stall are part of the arrival cursor. A request has its number from its session, so
     * that a limited number of requests is that of the first sessions, whoever begins them.
     */
    private static final class SessionAgenda implements Agenda {
        private final Workload.PartlyOpen workload;
        private final long endNanos;
        private final long endIndex;
        private final Cursor begun;

        /** A second pass over the arrivals that counts those due, as in {@link DueRequests.OpenAgenda}. */
        private final Cursor arrived;

        /** Active sessions by place; free places are reused. */
        private final List<Session> sessions = new ArrayList<>();

        private final Deque<Session> free = new ArrayDeque<>();

        /** Sessions between two requests, by the intended start of the next. */
        private final DueClients due = new DueClients(64);

        private long taken;

        private static final class Session {
            final int place;
            long number;

            /** The position of its next request. */
            int step;

            Session(int place) {
                this.place = place;
            }
        }

        SessionAgenda(Workload.PartlyOpen workload, int share, int shares, RunPlan plan) {
            this.workload = workload;
            this.endNanos = plan.durationNanos();
            this.endIndex = plan.maxRequests();
            this.begun = new Cursor(workload.sessions().times(share, shares), plan, workload.requests());
            this.arrived = new Cursor(workload.sessions().times(share, shares), plan, workload.requests());
        }

        private long index(long session, int step) {
            return session * workload.requests() + step;
        }

        private boolean nextIsArrival() {
            return due.isEmpty() || begun.nextNanos < due.firstNanos();
        }

        @Override
        public long nextNanos() {
            return nextIsArrival() ? begun.nextNanos : due.firstNanos();
        }

        @Override
        public long take(Exchange exchange) {
            taken++;
            long nanos = nextNanos();
            Session session = nextIsArrival() ? begin() : sessions.get(due.removeFirst());
            exchange.index = index(session.number, session.step);
            exchange.client = session.place;
            exchange.session = session.number;
            exchange.step = session.step;
            return nanos;
        }

        private Session begin() {
            Session session = free.poll();
            if (session == null) {
                session = new Session(sessions.size());
                sessions.add(session);
            }
            session.number = begun.nextIndex;
            session.step = 0;
            begun.pass();
            return session;
        }

        @Override
        public void ended(Exchange exchange, long atNanos) {
            Session session = sessions.get(exchange.client);
            session.step++;
            long nanos = atNanos + workload.think().pauseNanos(session.number, session.step);
            boolean hasNext = session.step < workload.requests() && index(session.number, session.step) < endIndex;
            if (hasNext && nanos < endNanos) {
                due.add(session.place, nanos);
            } else {
                free.push(session);
            }
        }

        @Override
        public long taken() {
            return taken;
        }

        /** First requests are counted from the arrivals alone. The others exist only once the one before has ended. */
        @Override
        public long plannedBefore(long nanos) {
            return arrived.passedBefore(nanos) + (taken - begun.passed) + due.countBefore(nanos);
        }

        /** No request follows these, so their places are free at once. */
        @Override
        public void abandonRest(long nanos, Exchange unsent, LongConsumer intended) {
            while (nextNanos() < nanos) {
                intended.accept(take(unsent));
                free.push(sessions.get(unsent.client));
            }
        }
    }
}
