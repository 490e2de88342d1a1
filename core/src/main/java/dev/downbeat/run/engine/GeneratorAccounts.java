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

    /**
     * Starts empty.
     *
     * @param share index of the generator in this process
     */
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

    /** Gaps between responses, and pauses of the generator. */
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
    void took(Exchange exchange) {
        watch.due(exchange.intendedAt);
        sessions.took(exchange);
    }

    /**
     * The target reported the end of a request. It is in time unless it came after the deadline even if it lay unread
     * for the whole of Downbeat's own delay.
     *
     * @param stillWaiting whether others are in flight or due
     */
    void completed(Exchange exchange, long deadlineAt, boolean stillWaiting) {
        watched(exchange, stillWaiting);
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

    private void watched(Exchange exchange, boolean stillWaiting) {
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
        sessions.took(unsent);
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

    /** Adds requests intended by now. */
    void planned(long count) {
        recorder().planned(count);
    }

    /** Completes the accounting. */
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
        private final Exchange whole = new Exchange(0);
        private byte[] states = new byte[64];
        private long[] begunAt = new long[64];
        private long[] lateNanos = new long[64];
        private long[] possiblyOursNanos = new long[64];
        private long[] ownNanos = new long[64];
        private long[] lastEndAt = new long[64];

        /** Whether a request of the session is in flight or due. */
        private boolean[] waits = new boolean[64];

        /**
         * Sessions of one generator.
         *
         * @param recorder supplies the current recorder
         */
        WholeSessions(RunPlan plan, Target target, Supplier<CorrectedRecorder> recorder) {
            this.steps = target.names().isEmpty() ? 0 : stepsOf(plan.workload());
            this.recorder = recorder;
            whole.name = target.names().size();
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

        /** A request was dispatched. */
        void took(Exchange exchange) {
            if (steps == 0) {
                return;
            }
            int client = exchange.client;
            if (exchange.step == 0) {
                begun(client, exchange.intendedAt);
            }
            waits[client] = true;
        }

        private void begun(int client, long at) {
            if (client >= states.length) {
                int room = Math.max(2 * states.length, client + 1);
                states = Arrays.copyOf(states, room);
                begunAt = Arrays.copyOf(begunAt, room);
                lateNanos = Arrays.copyOf(lateNanos, room);
                possiblyOursNanos = Arrays.copyOf(possiblyOursNanos, room);
                ownNanos = Arrays.copyOf(ownNanos, room);
                lastEndAt = Arrays.copyOf(lastEndAt, room);
                waits = Arrays.copyOf(waits, room);
            }
            cutOff(client, at);
            states[client] = SUCCEEDED;
            begunAt[client] = at;
            lateNanos[client] = 0;
            possiblyOursNanos[client] = 0;
            ownNanos[client] = 0;
        }

        /** The request ended or timed out. */
        void ended(Exchange exchange, long at, boolean answered) {
            if (steps == 0) {
                return;
            }
            int client = exchange.client;
            if (!answered) {
                states[client] = BROKEN;
            }
            lateNanos[client] += exchange.latenessNanos();
            possiblyOursNanos[client] += exchange.possiblyOursNanos();
            ownNanos[client] += exchange.ownNanos();
            lastEndAt[client] = at;
            waits[client] = false;
            if (exchange.step == steps - 1) {
                write(client, at);
                whole.completedAt = at;
                whole.outcome = states[client] == SUCCEEDED ? Outcome.answered() : FAILED;
                states[client] = NONE;
                recorder.get().sessionEnded(whole);
            }
        }

        /** Downbeat's share of a session is at most the sum of its requests' shares, and at most the whole. */
        private void write(int client, long at) {
            long begun = begunAt[client];
            long late = Math.min(lateNanos[client], at - begun);
            whole.begin(begun, begun + late, begun + late);
            whole.unreadNanos = Math.min(possiblyOursNanos[client], at - begun - late);
            whole.piledUpNanos = Math.min(ownNanos[client], at - begun);
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
                cutOff(client, now); // the one before in its place
            }
            recorder.get().sessionNeverBegun(whole.name, unsent.latenessNanos(), now - unsent.intendedAt);
        }

        /** Cuts off the unfinished sessions. */
        void end(long now) {
            for (int client = 0; client < states.length; client++) {
                cutOff(client, now);
            }
        }

        /** A session that waits for nothing lasted at least until its last request ended, and nobody knows more. */
        private void cutOff(int client, long now) {
            if (states[client] != NONE) {
                long at = Math.max(waits[client] ? now : lastEndAt[client], begunAt[client]);
                write(client, at);
                recorder.get().sessionCutOff(whole, at - begunAt[client]);
                states[client] = NONE;
            }
        }
    }
}
