package dev.downbeat.run.engine;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.Target;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.record.recorder.RequestKeeper;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.Intervals.IntervalHandover;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * One generator's accounting: each event of a request is passed once to everything that counts it. Owned by the
 * generator's thread.
 */
final class GeneratorAccounts {
    private final IntervalHandover handover;
    private final ResponseGapDetector watch;
    private final RequestKeeper keeper;
    private final WholeSessions sessions;
    private Interruptions interruptions = Interruptions.UNKNOWN;

    GeneratorAccounts(RunPlan plan, int share, Target target, IntervalHandover handover, ResponseGapDetector watch) {
        this.handover = handover;
        this.watch = watch;
        this.keeper = new RequestKeeper(KeptRequests.mostOf(plan.shard().count()), share);
        this.sessions = new WholeSessions(plan, target, handover::active);
    }

    /** The slowest complete requests, and a sample of all. */
    RequestKeeper keeper() {
        return keeper;
    }

    Interruptions interruptions() {
        return interruptions;
    }

    /** The run has ended, with or without an error. */
    void closed(long now) {
        interruptions = watch.end(now);
    }

    private CorrectedRecorder recorder() {
        return handover.active();
    }

    /** A request is about to be sent. */
    void dispatched(Exchange exchange) {
        watch.due(exchange.intendedAt);
        sessions.dispatched(exchange);
    }

    /**
     * The target reported the end of a request. It is in time if it ended by the deadline
     * once Downbeat's delay in reading is subtracted.
     *
     * @param stillWaiting whether others are in flight or due
     */
    void completed(Exchange exchange, long deadlineAt, boolean stillWaiting) {
        notifyWatch(exchange, stillWaiting);
        boolean inTime = exchange.completedAt - exchange.readLateNanos - deadlineAt <= 0;
        if (inTime) {
            recorder().completed(exchange);
        } else {
            recorder().timedOut(exchange, deadlineAt - exchange.intendedAt);
        }
        boolean answered = inTime && exchange.outcome.fate() == Fate.ANSWERED;
        keeper.ended(exchange, inTime ? exchange.completedAt : deadlineAt, answered);
        sessions.ended(exchange, exchange.completedAt, answered);
    }

    private void notifyWatch(Exchange exchange, boolean stillWaiting) {
        if (exchange.outcome.end() == Outcome.End.NOT_SENT) {
            watch.withdrawn(stillWaiting);
        } else if (exchange.unconnected || !exchange.outcome.isByService()) {
            watch.gaveUp(exchange.completedAt, stillWaiting);
        } else {
            if (exchange.idleNanos > 0) {
                watch.nothingToAnswer(exchange.idleNanos, exchange.completedAt - exchange.serviceNanos());
            }
            watch.answered(exchange.completedAt, exchange.responseNanos(), stillWaiting);
        }
    }

    /** A request in flight has passed its deadline. */
    void timedOut(Exchange exchange, long deadlineAt, boolean stillWaiting) {
        recorder().timedOut(exchange, deadlineAt - exchange.intendedAt);
        keeper.ended(exchange, deadlineAt, false);
        watch.gaveUp(deadlineAt, stillWaiting);
        sessions.ended(exchange, deadlineAt, false);
    }

    /** A request passed its deadline while waiting for a slot and will not be sent. */
    void timedOutUnsent(Exchange unsent, long deadlineAt) {
        recorder().timedOutUnsent(unsent, deadlineAt - unsent.intendedAt);
        keeper.ended(unsent, deadlineAt, false);
        sessions.dispatched(unsent);
        sessions.ended(unsent, deadlineAt, false);
    }

    /** A request was in flight when the run ended. */
    void inFlight(Exchange exchange, long now) {
        recorder().inFlight(exchange, now - exchange.intendedAt);
        keeper.ended(exchange, now, false);
    }

    /** A request was due but unsent when the run ended. */
    void neverSent(Exchange unsent, long now) {
        recorder().neverSent(unsent, now - unsent.intendedAt);
        sessions.neverSent(unsent, now);
        keeper.ended(unsent, now, false);
    }

    void planned(long count) {
        recorder().planned(count);
    }

    void end(long now, long planned) {
        sessions.end(now);
        planned(planned);
    }

    /**
     * Durations of whole sessions: from the intended start of a script's first request to the end of its last, pauses
     * included. They are counted under their own name, in addition to the requests. A session with an unanswered request
     * has failed; one cut off by the end of the run is in flight. Owned by the generator's thread; allocates only when the
     * number of concurrent sessions reaches a new maximum.
     */
    static final class WholeSessions {
        private static final Outcome FAILED = Outcome.failed("a request of the session was not answered");
        private static final byte NONE = 0;
        private static final byte SUCCEEDED = 1;
        private static final byte BROKEN = 2;

        private final int steps;
        private final Supplier<CorrectedRecorder> recorder;
        private final Exchange session = new Exchange(0);
        private byte[] states = new byte[64];
        private long[] begunAt = new long[64];
        private long[] latenessNanos = new long[64];
        private long[] possiblyOwnNanos = new long[64];
        private long[] ownNanos = new long[64];
        private long[] lastEndAt = new long[64];

        /** Whether a request of the session is in flight or due. */
        private boolean[] waits = new boolean[64];

        WholeSessions(RunPlan plan, Target target, Supplier<CorrectedRecorder> recorder) {
            this.steps = target.names().isEmpty() ? 0 : stepsOf(plan.workload());
            this.recorder = recorder;
            session.name = target.names().size();
        }

        private static int stepsOf(Workload workload) {
            return workload.steps() > 1 ? workload.steps() : 0; // a session with one request is that request
        }

        /** The counted names: those of the target, plus one for whole sessions if there are any. */
        static List<String> names(RunPlan plan, Target target) {
            List<String> names = target.names();
            if (names.isEmpty() || stepsOf(plan.workload()) == 0) {
                return names;
            }
            List<String> more = new ArrayList<>(names);
            more.add(Recording.SESSION);
            return more;
        }

        void dispatched(Exchange exchange) {
            if (steps == 0) {
                return;
            }
            int client = exchange.client;
            if (exchange.step == 0) {
                begin(client, exchange.intendedAt);
            }
            waits[client] = true;
        }

        private void begin(int client, long at) {
            if (client >= states.length) {
                int room = Math.max(2 * states.length, client + 1);
                states = Arrays.copyOf(states, room);
                begunAt = Arrays.copyOf(begunAt, room);
                latenessNanos = Arrays.copyOf(latenessNanos, room);
                possiblyOwnNanos = Arrays.copyOf(possiblyOwnNanos, room);
                ownNanos = Arrays.copyOf(ownNanos, room);
                lastEndAt = Arrays.copyOf(lastEndAt, room);
                waits = Arrays.copyOf(waits, room);
            }
            cutOff(client, at);
            states[client] = SUCCEEDED;
            begunAt[client] = at;
            latenessNanos[client] = 0;
            possiblyOwnNanos[client] = 0;
            ownNanos[client] = 0;
        }

        void ended(Exchange exchange, long at, boolean answered) {
            if (steps == 0) {
                return;
            }
            int client = exchange.client;
            if (!answered) {
                states[client] = BROKEN;
            }
            latenessNanos[client] += exchange.latenessNanos();
            possiblyOwnNanos[client] += exchange.possiblyOwnNanos();
            ownNanos[client] += exchange.ownNanos();
            lastEndAt[client] = at;
            waits[client] = false;
            if (exchange.step == steps - 1) {
                fillSession(client, at);
                session.completedAt = at;
                session.outcome = states[client] == SUCCEEDED ? Outcome.answered() : FAILED;
                states[client] = NONE;
                recorder.get().sessionEnded(session);
            }
        }

        /** Downbeat's share of a session is at most the sum of its requests' shares, and at most the whole. */
        private void fillSession(int client, long at) {
            long begin = begunAt[client];
            long late = Math.min(latenessNanos[client], at - begin);
            session.begin(begin, begin + late, begin + late);
            session.unreadNanos = Math.min(possiblyOwnNanos[client], at - begin - late);
            session.catchUpNanos = Math.min(ownNanos[client], at - begin);
        }

        /** A request was due but unsent: its session waited for it, or never began. */
        void neverSent(Exchange unsent, long now) {
            if (steps == 0) {
                return;
            }
            int client = unsent.client;
            if (unsent.step > 0) {
                waits[client] = true;
                return;
            }
            if (client < states.length) {
                cutOff(client, now); // the previous session in this place
            }
            recorder.get().sessionNeverBegun(session.name, unsent.latenessNanos(), now - unsent.intendedAt);
        }

        void end(long now) {
            for (int client = 0; client < states.length; client++) {
                cutOff(client, now);
            }
        }

        /** A session between two requests lasted at least until its last request ended. */
        private void cutOff(int client, long now) {
            if (states[client] != NONE) {
                long at = Math.max(waits[client] ? now : lastEndAt[client], begunAt[client]);
                fillSession(client, at);
                recorder.get().sessionCutOff(session, at - begunAt[client]);
                states[client] = NONE;
            }
        }
    }
}
