package dev.downbeat.run.agenda;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Sessions that arrive openly and send requests at planned times, one at a time. Only active sessions use memory; those
 * delayed by a stall are part of the arrival cursor.
 */
final class SessionAgenda implements Agenda {
    private final Workload.PartlyOpen workload;
    private final int share;
    private final int shares;
    private final long endNanos;
    private final long endIndex;
    private final IntendedTimes arrivals;
    private long arrivalNanos;
    private long begun;

    /** A second pass over the arrivals that counts those due, as in {@link DueRequests.OpenAgenda}. */
    private final IntendedTimes dueArrivals;

    private long dueArrivalNanos;
    private long arrived;

    /** Active sessions by index; free indexes are reused. */
    private final List<Session> sessions = new ArrayList<>();

    private final Deque<Session> free = new ArrayDeque<>();

    /** Sessions between two requests, by the planned start of the next. */
    private final DueClients due = new DueClients(64);

    private long taken;
    private boolean heldBack;

    private static final class Session {
        final int place;
        long number;
        int issued;
        long plannedNanos;
        boolean over;
        boolean heldBack;

        /** Whether the session is between two requests. */
        boolean waiting;

        Session(int place) {
            this.place = place;
        }
    }

    SessionAgenda(Workload.PartlyOpen workload, int share, int shares, RunPlan plan) {
        this.workload = workload;
        this.share = share;
        this.shares = shares;
        this.endNanos = plan.durationNanos();
        this.endIndex = plan.maxRequests();
        this.arrivals = workload.sessions().times(share, shares);
        this.arrivalNanos = next(arrivals);
        this.dueArrivals = workload.sessions().times(share, shares);
        this.dueArrivalNanos = next(dueArrivals);
    }

    private long next(IntendedTimes times) {
        long nanos = times.nextNanos();
        return nanos >= endNanos ? NONE : nanos;
    }

    private boolean nextIsArrival() {
        return due.isEmpty() || arrivalNanos < due.firstNanos();
    }

    private long nextIndex() {
        return share + taken * shares;
    }

    @Override
    public long nextNanos() {
        if (nextIndex() >= endIndex) {
            return NONE;
        }
        return nextIsArrival() ? arrivalNanos : due.firstNanos();
    }

    @Override
    public long take(Exchange exchange) {
        exchange.index = nextIndex();
        taken++;
        Session session = nextIsArrival() ? begin() : sessions.get(due.removeFirst());
        session.issued++;
        session.waiting = false;
        heldBack = session.heldBack;
        tell(exchange, session);
        return session.plannedNanos;
    }

    private static void tell(Exchange exchange, Session session) {
        exchange.client = session.place;
        exchange.session = session.number;
        exchange.step = session.issued - 1;
    }

    private Session begin() {
        Session session = free.poll();
        if (session == null) {
            session = new Session(sessions.size());
            sessions.add(session);
        }
        session.number = arrivals.index();
        session.issued = 0;
        session.plannedNanos = arrivalNanos;
        session.over = false;
        session.heldBack = false;
        session.waiting = false;
        begun++;
        arrivalNanos = next(arrivals);
        return session;
    }

    @Override
    public boolean heldBack() {
        return heldBack;
    }

    @Override
    public void ended(Exchange exchange, long atNanos) {
        Session session = sessions.get(exchange.client);
        if (advance(session)) {
            session.heldBack = atNanos > session.plannedNanos;
            session.waiting = true;
            due.add(session.place, session.plannedNanos);
        } else {
            session.over = true;
            free.push(session);
        }
    }

    /** Advances to the session's next planned request; false if there is none before the end of the plan. */
    private boolean advance(Session session) {
        if (session.issued >= workload.requests()) {
            return false;
        }
        session.plannedNanos += workload.think().pauseNanos(session.number, session.issued);
        return session.plannedNanos < endNanos;
    }

    /** For a session that has not started, only the first request counts; the others wait for it. */
    @Override
    public long backlogAt(long nanos) {
        while (dueArrivalNanos < nanos) {
            arrived++;
            dueArrivalNanos = next(dueArrivals);
        }
        return Math.min(arrived - begun + due.countBefore(nanos), Agenda.shareOf(endIndex, share, shares) - taken);
    }

    @Override
    public long taken() {
        return taken;
    }

    /** Computed from the workload alone: all sessions so far and their planned requests. */
    @Override
    public long plannedBefore(long nanos) {
        long limit = Math.min(nanos, endNanos);
        IntendedTimes again = workload.sessions().times(share, shares);
        long planned = 0;
        for (long at = again.nextNanos(); at < limit; at = again.nextNanos()) {
            long plannedNanos = at;
            for (int n = 0; n < workload.requests() && plannedNanos < limit; n++) {
                planned++;
                plannedNanos += workload.think().pauseNanos(again.index(), n + 1L);
            }
        }
        return Math.min(planned, Agenda.shareOf(endIndex, share, shares));
    }

    @Override
    public void leave(long nanos, Exchange unsent, LongConsumer intended) {
        for (Session session : sessions) {
            if (!session.over) {
                leaveRest(session, nanos, unsent, intended);
            }
        }
        while (arrivalNanos < nanos && nextIndex() < endIndex) {
            leave(begin(), unsent, intended);
            leaveRest(sessions.get(unsent.client), nanos, unsent, intended);
        }
    }

    private void leave(Session session, Exchange unsent, LongConsumer intended) {
        unsent.index = nextIndex();
        taken++;
        session.issued++;
        tell(unsent, session);
        intended.accept(session.plannedNanos);
    }

    private void leaveRest(Session session, long nanos, Exchange unsent, LongConsumer intended) {
        session.over = true;
        boolean waiting = session.waiting;
        while ((waiting || advance(session)) && session.plannedNanos < nanos && nextIndex() < endIndex) {
            waiting = false;
            leave(session, unsent, intended);
        }
    }
}
