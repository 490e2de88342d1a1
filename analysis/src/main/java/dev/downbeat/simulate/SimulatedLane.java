package dev.downbeat.simulate;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.run.agenda.Deadlines;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.simulate.QueueLengths.QueueWatch;
import dev.downbeat.time.ManualClock;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A retrying caller and a service in virtual time. An exchange is an operation of one or more attempts. The service
 * sees attempts only and continues those that were abandoned. Polling advances the clock from event to event, so
 * nothing is ever late.
 */
final class SimulatedLane implements Lane {
    private static final Outcome ATTEMPT_TIMED_OUT = Outcome.gaveUp("no answer within the attempt's timeout");
    private static final Outcome QUEUE_FULL = Outcome.failed("refused: the queue was full");
    private static final Outcome CIRCUIT_OPEN = Outcome.failed("refused: the circuit was open");

    private static final int SLOT_BITS = 20;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

    private final ManualClock clock;
    private final long startAt;
    private final Exchange.Listener listener;
    private final RetryPolicy policy;
    private final SplittableRandom random;
    private final Servers servers;
    private final QueueWatch watch;
    private final long attemptTimeoutNanos;
    private final Deadlines timers;
    private final InstantQueue retries = new InstantQueue();
    private final RetryTokens tokens;
    private final Circuit circuit;

    /** Operations by slot; null where there is none. */
    private final @Nullable Exchange[] bySlot;

    /** Incremented when an attempt starts or ends, so that events of earlier attempts are recognised as stale. */
    private final int[] epoch;

    private final int[] tries;
    private final long[] attemptStartedNanos;

    /** Whether an attempt is in flight, rather than waiting for a retry. */
    private final boolean[] trying;

    private long operations;
    private long attempts;
    private long failedAttempts;
    private long lateAnswers;
    private long refusedByQueue;
    private long refusedByBudget;
    private long refusedByCircuit;
    private long endedOperations;

    SimulatedLane(ManualClock clock, Exchange.Listener listener, Setup setup) {
        int capacity = setup.connections();
        this.clock = clock;
        this.startAt = clock.nanoTime() + LoadRun.LEAD_NANOS;
        this.listener = listener;
        this.policy = setup.retries();
        SplittableRandom seeds = new SplittableRandom(setup.seed());
        this.watch = new QueueWatch(setup.loadNanos());
        this.servers = new Servers(setup.service(), seeds.split(), watch, this::isCurrent);
        this.random = seeds.split();
        boolean timed = policy.giveUp() == RetryPolicy.GiveUp.AT_TIMEOUT;
        this.attemptTimeoutNanos = timed ? policy.attemptTimeoutNanos() : Long.MAX_VALUE;
        this.timers = new Deadlines(capacity);
        this.tokens = new RetryTokens(policy.budget());
        this.circuit = new Circuit(policy.breaker());
        this.bySlot = new Exchange[capacity];
        this.epoch = new int[capacity];
        this.tries = new int[capacity];
        this.attemptStartedNanos = new long[capacity];
        this.trying = new boolean[capacity];
    }

    private long nanos() {
        return clock.nanoTime() - startAt;
    }

    private static int slot(long attempt) {
        return (int) (attempt & SLOT_MASK);
    }

    private long attempt(int slot) {
        return ((long) epoch[slot] << SLOT_BITS) | slot;
    }

    private boolean isCurrent(long attempt) {
        return attempt(slot(attempt)) == attempt;
    }

    @Override
    public int capacity() {
        return bySlot.length;
    }

    @Override
    public void send(Exchange exchange) {
        operations++;
        tokens.deposit();
        bySlot[exchange.slot] = exchange;
        tries[exchange.slot] = 0;
        tryOnce(exchange, nanos());
    }

    private void tryOnce(Exchange exchange, long nanos) {
        int slot = exchange.slot;
        if (!circuit.allows(slot, nanos)) {
            refusedByCircuit++;
            end(exchange, CIRCUIT_OPEN);
            return;
        }
        attempts++;
        tries[slot]++;
        epoch[slot]++;
        attemptStartedNanos[slot] = nanos;
        trying[slot] = true;
        if (servers.offer(attempt(slot), nanos)) {
            if (attemptTimeoutNanos < Long.MAX_VALUE) {
                timers.add(slot, nanos + attemptTimeoutNanos);
            }
        } else {
            refusedByQueue++;
            attemptFailed(exchange, QUEUE_FULL, nanos);
        }
    }

    private void attemptFailed(Exchange exchange, Outcome outcome, long nanos) {
        int slot = exchange.slot;
        failedAttempts++;
        attemptOver(slot, false, nanos);
        if (tries[slot] >= policy.attempts()) {
            end(exchange, outcome);
        } else if (!tokens.take()) {
            refusedByBudget++;
            end(exchange, outcome);
        } else {
            retries.add(nanos + policy.pause().nanos(tries[slot], random), attempt(slot));
        }
    }

    private void attemptOver(int slot, boolean answered, long nanos) {
        timers.remove(slot);
        epoch[slot]++;
        trying[slot] = false;
        circuit.ended(slot, answered, nanos);
    }

    private void end(Exchange exchange, Outcome outcome) {
        bySlot[exchange.slot] = null;
        exchange.completedAt = clock.nanoTime();
        exchange.firstByteAt = exchange.completedAt;
        exchange.outcome = outcome;
        endedOperations++;
        listener.completed(exchange);
    }

    @Override
    public void abandon(Exchange exchange) {
        int slot = exchange.slot;
        if (trying[slot]) {
            attemptOver(slot, false, nanos());
        }
        epoch[slot]++; // a retry still scheduled becomes stale
        bySlot[slot] = null;
    }

    @Override
    public void poll(long untilAt) {
        long endedBefore = endedOperations;
        long untilNanos = untilAt - startAt;
        while (endedOperations == endedBefore) {
            long nanos = nextNanos();
            if (nanos > untilNanos) {
                clock.awaitUntil(untilAt);
                return;
            }
            clock.awaitUntil(startAt + nanos);
            handle(nanos);
        }
    }

    private long nextNanos() {
        long next = servers.nextNanos();
        next = timers.isEmpty() ? next : Math.min(next, timers.firstAt());
        return retries.isEmpty() ? next : Math.min(next, retries.firstAt());
    }

    /** Handles one event at this instant. A response takes precedence over its timeout. */
    private void handle(long nanos) {
        if (servers.nextNanos() == nanos) {
            answered(servers.complete(nanos), nanos);
        } else if (!timers.isEmpty() && timers.firstAt() == nanos) {
            attemptFailed(operation(timers.first()), ATTEMPT_TIMED_OUT, nanos);
        } else {
            long retry = retries.removeFirst();
            if (isCurrent(retry)) {
                tryOnce(operation(slot(retry)), nanos);
            }
        }
    }

    private Exchange operation(int slot) {
        Exchange exchange = bySlot[slot];
        if (exchange == null) {
            throw new IllegalStateException("slot " + slot + " has no operation");
        }
        return exchange;
    }

    private void answered(long attempt, long nanos) {
        if (!isCurrent(attempt)) {
            answeredLate();
            return;
        }
        int slot = slot(attempt);
        if (nanos - attemptStartedNanos[slot] > policy.attemptTimeoutNanos()) {
            answeredLate();
            attemptFailed(operation(slot), ATTEMPT_TIMED_OUT, nanos);
        } else {
            attemptOver(slot, true, nanos);
            end(operation(slot), Outcome.answered());
        }
    }

    private void answeredLate() {
        lateAnswers++;
        listener.answeredLate(clock.nanoTime());
    }

    /** Not counted unless they were limited on purpose. */
    @Override
    public ConnectionCounts connections() {
        if (bySlot.length >= Simulation.CONNECTIONS) {
            return ConnectionCounts.NONE;
        }
        long inUse = Arrays.stream(bySlot).filter(Objects::nonNull).count();
        return new ConnectionCounts(bySlot.length, 0, 0, 0, 0, 0, bySlot.length, inUse);
    }

    /** Without retries, only wasted work is reported. */
    @Override
    public TargetCounts counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        if (!policy.isNone()) {
            counts.put(TargetCounts.OPERATIONS, operations);
            counts.put(TargetCounts.ATTEMPTS, attempts);
            counts.put("failed attempts", failedAttempts);
        }
        TargetCounts.putIfAny(counts, TargetCounts.LATE_ANSWERS, lateAnswers);
        TargetCounts.putIfAny(counts, "refused by the queue", refusedByQueue);
        TargetCounts.putIfAny(counts, "refused by the retry budget", refusedByBudget);
        TargetCounts.putIfAny(counts, "refused by the circuit breaker", refusedByCircuit);
        TargetCounts.putIfAny(counts, "times the circuit opened", circuit.opened());
        TargetCounts.putIfAny(counts, "dropped by the service", servers.dropped());
        return counts.isEmpty() ? TargetCounts.NONE : new TargetCounts(counts);
    }

    /** The queue's length up to a time from the start of the run. */
    QueueLengths queue(long endNanos) {
        return watch.lengths(endNanos);
    }

    @Override
    public void close() {}

    /** The state of a circuit breaker. Times are nanoseconds from the start of the run. Not thread-safe. */
    private static final class Circuit {
        private static final int NO_TRIAL = -1;

        private final Optional<RetryPolicy.Breaker> breaker;
        private final boolean[] failed;
        private long recorded;
        private int failures;
        private boolean open;
        private long openUntilNanos;

        /** The slot of the trial attempt that was allowed although the circuit is open. */
        private int trial = NO_TRIAL;

        private long opened;

        Circuit(Optional<RetryPolicy.Breaker> breaker) {
            this.breaker = breaker;
            this.failed = new boolean[breaker.map(RetryPolicy.Breaker::window).orElse(0)];
        }

        /** Whether an attempt is allowed. */
        boolean allows(int slot, long nanos) {
            if (!open) {
                return true;
            }
            if (nanos < openUntilNanos || trial != NO_TRIAL) {
                return false;
            }
            trial = slot;
            return true;
        }

        /** Records the end of an attempt. */
        void ended(int slot, boolean answered, long nanos) {
            if (breaker.isEmpty()) {
                return;
            }
            if (open) {
                endedWhileOpen(slot, answered, nanos);
                return;
            }
            int place = (int) (recorded++ % failed.length);
            failures += (answered ? 0 : 1) - (failed[place] ? 1 : 0);
            failed[place] = !answered;
            if (recorded >= failed.length && failures >= breaker.get().share() * failed.length) {
                open(nanos);
            }
        }

        /** Attempts already under way when the circuit opened are ignored. */
        private void endedWhileOpen(int slot, boolean answered, long nanos) {
            if (slot != trial) {
                return;
            }
            trial = NO_TRIAL;
            if (answered) {
                open = false;
                recorded = 0;
                failures = 0;
                Arrays.fill(failed, false);
            } else {
                open(nanos);
            }
        }

        private void open(long nanos) {
            open = true;
            opened++;
            openUntilNanos = nanos + breaker.orElseThrow().openNanos();
        }

        /** How often the circuit opened. */
        long opened() {
            return opened;
        }
    }

    /** The state of a retry budget. Not thread-safe. */
    private static final class RetryTokens {
        private final Optional<RetryPolicy.Budget> budget;
        private double left;

        RetryTokens(Optional<RetryPolicy.Budget> budget) {
            this.budget = budget;
        }

        /** Adds an operation's share. */
        void deposit() {
            if (budget.isPresent()) {
                left = Math.min(budget.get().most(), left + budget.get().share());
            }
        }

        /** Takes one retry from the budget; false if it is exhausted. */
        boolean take() {
            if (budget.isEmpty()) {
                return true;
            }
            boolean enough = left >= 1;
            left -= enough ? 1 : 0;
            return enough;
        }
    }

    record Setup(SimulatedService service, RetryPolicy retries, int connections, long seed, long loadNanos) {}

    /**
     * Servers with a shared queue. Callers choose the numbers that identify requests. Times are nanoseconds from the start
     * of the run. A request's service time is drawn when a server takes it. Not thread-safe.
     */
    private static final class Servers {
        private final SimulatedService service;
        private final SplittableRandom random;
        private final QueueWatch watch;
        private final LongPredicate isWanted;
        private final InstantQueue completions = new InstantQueue();
        private long[] waiting = new long[1_024];
        private int first;
        private int size;
        private int busy;
        private long dropped;

        /** Creates idle servers; {@code isWanted} is whether a caller still waits for a request. */
        Servers(SimulatedService service, SplittableRandom random, QueueWatch watch, LongPredicate isWanted) {
            this.service = service;
            this.random = random;
            this.watch = watch;
            this.isWanted = isWanted;
        }

        /** When the next response is sent; {@link Long#MAX_VALUE} if there is none. */
        long nextNanos() {
            return completions.isEmpty() ? Long.MAX_VALUE : completions.firstAt();
        }

        /** Accepts a request; false if the queue is full. */
        boolean offer(long request, long nanos) {
            if (busy < service.servers()) {
                busy++;
                work(request, nanos);
                return true;
            }
            if (size >= service.queueLimit()) {
                return false;
            }
            if (size == waiting.length) {
                grow();
            }
            waiting[(first + size++) & (waiting.length - 1)] = request;
            watch.changed(nanos, size);
            return true;
        }

        private void grow() {
            long[] more = new long[2 * size];
            for (int i = 0; i < size; i++) {
                more[i] = waiting[(first + i) & (size - 1)];
            }
            waiting = more;
            first = 0;
        }

        private void work(long request, long nanos) {
            completions.add(service.endOfWork(nanos, service.law().nextNanos(random)), request);
        }

        /** Completes the response due at {@link #nextNanos}; its server takes the next request. */
        long complete(long nanos) {
            long done = completions.removeFirst();
            while (size > 0) {
                long next = waiting[first];
                first = (first + 1) & (waiting.length - 1);
                size--;
                if (!service.dropsAbandoned() || isWanted.test(next)) {
                    watch.changed(nanos, size);
                    work(next, nanos);
                    return done;
                }
                dropped++;
            }
            watch.changed(nanos, 0);
            busy--;
            return done;
        }

        /** Number of requests dropped because no caller waited for them any more. */
        long dropped() {
            return dropped;
        }
    }

    /** A priority queue of numbers by time, earliest first: a binary heap in arrays. Not thread-safe. */
    private static final class InstantQueue {
        private long[] dueAt = new long[64];
        private long[] events = new long[64];
        private int size;

        boolean isEmpty() {
            return size == 0;
        }

        /** The earliest time; call only if the queue is not empty. */
        long firstAt() {
            return dueAt[0];
        }

        void add(long at, long event) {
            if (size == dueAt.length) {
                dueAt = Arrays.copyOf(dueAt, 2 * size);
                events = Arrays.copyOf(events, 2 * size);
            }
            int place = size++;
            while (place > 0 && at - dueAt[(place - 1) / 2] < 0) {
                move((place - 1) / 2, place);
                place = (place - 1) / 2;
            }
            dueAt[place] = at;
            events[place] = event;
        }

        /** Removes the earliest entry; call only if the queue is not empty. */
        long removeFirst() {
            long first = events[0];
            size--;
            long at = dueAt[size];
            int place = 0;
            for (int child = 1; child < size; child = 2 * place + 1) {
                if (child + 1 < size && dueAt[child + 1] - dueAt[child] < 0) {
                    child++;
                }
                if (at - dueAt[child] <= 0) {
                    break;
                }
                move(child, place);
                place = child;
            }
            dueAt[place] = at;
            events[place] = events[size];
            return first;
        }

        private void move(int from, int to) {
            dueAt[to] = dueAt[from];
            events[to] = events[from];
        }
    }
}
