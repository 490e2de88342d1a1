package dev.downbeat.truths;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.ManualClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A lane to a {@link World}: a discrete-event simulation that {@link #poll} advances from event to event. The service works
 * on while the client is paused; responses that arrive during a pause are read after it.
 */
final class WorldLane implements Lane {
    private static final Outcome STATUS = Outcome.failedResponse("HTTP 503");
    private static final Outcome REFUSED = Outcome.failed("connection refused");
    private static final Outcome RESET = Outcome.failed("connection reset");
    private static final int UNAVAILABLE = 503;
    private static final int OK = 200;

    /** A request at the service. Without an exchange it is abandoned. */
    private static final class Job {
        @Nullable
        Exchange exchange;

        final int backend;
        final long workNanos;
        double leftNanos;

        Job(Exchange exchange, int backend, long workNanos) {
            this.exchange = exchange;
            this.backend = backend;
            this.workNanos = workNanos;
            this.leftNanos = workNanos;
        }
    }

    private enum Step {
        OPENED,
        SERVED,
        SHARED,
        ARRIVED
    }

    private record Event(
            long atNanos,
            long order,
            Step step,
            int epoch,
            @Nullable Job job,
            Outcome outcome) {}

    private final ManualClock clock;
    private final long startAt;
    private final Exchange.Listener listener;
    private final World world;
    private final SplittableRandom random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::order));
    private final Deque<Event> arrived = new ArrayDeque<>();
    private final List<Deque<Job>> queues = new ArrayList<>();
    private final int[] busy;
    private final List<List<Job>> shared = new ArrayList<>();
    private final long[] sharedSinceNanos;
    private final int[] sharedEpoch;
    private final @Nullable Job[] inFlight;
    private final Runnable stop;
    private long stopNanos;
    private long order;
    private long opened;
    private long lastOpenedNanos;
    private long lastReadNanos;

    WorldLane(ManualClock clock, Exchange.Listener listener, World world, long seed, long stopNanos, Runnable stop) {
        this.stopNanos = stopNanos;
        this.stop = stop;
        this.clock = clock;
        this.startAt = clock.nanoTime() + LoadRun.LEAD_NANOS;
        this.listener = listener;
        this.world = world;
        this.random = new SplittableRandom(seed);
        int backends = world.stalls.size();
        this.busy = new int[backends];
        this.sharedSinceNanos = new long[backends];
        this.sharedEpoch = new int[backends];
        for (int i = 0; i < backends; i++) {
            queues.add(new ArrayDeque<>());
            shared.add(new ArrayList<>());
        }
        this.inFlight = new Job[world.connections];
    }

    private long nanos() {
        return clock.nanoTime() - startAt;
    }

    @Override
    public int capacity() {
        return inFlight.length;
    }

    @Override
    public void send(Exchange exchange) {
        clock.advanceNanos(world.sendNanos);
        long now = nanos();
        settle(now);
        int backend = (int) (exchange.index % busy.length);
        double factor =
                world.workByName.isEmpty() ? 1 : world.workByName.get((int) (exchange.index % world.workByName.size()));
        Job job =
                new Job(exchange, backend, Math.round(factor * world.work.nanos(now, exchange.index, random.split())));
        inFlight[exchange.slot] = job;
        exchange.position = 1;
        for (Fault fault : world.faults) {
            boolean isAffected = fault.name().isEmpty() || fault.name().equals(world.nameOf(exchange.index));
            if (isAffected && fault.when().covers(now) && random.nextDouble() < fault.share()) {
                fail(job, fault, now);
                return;
            }
        }
        if (world.opensForEach) {
            exchange.unconnected = true;
            long fromNanos = world.opensOneAtATime ? Math.max(now, lastOpenedNanos) : now;
            long openedNanos = endOfWork(world.slowOpenings, fromNanos, world.openingNanos);
            lastOpenedNanos = openedNanos;
            add(openedNanos, Step.OPENED, 0, job, Outcome.answered());
        } else {
            arrive(job, now);
        }
    }

    /** All of the time counts for the step that may be slow. */
    private void opened(Job job, long now) {
        Exchange exchange = job.exchange;
        if (exchange == null) {
            return;
        }
        opened++;
        exchange.unconnected = false;
        long nanos = now - (exchange.startedAt - startAt);
        switch (world.slowStep) {
            case LOOKUP -> exchange.lookupNanos = nanos;
            case CONNECT -> exchange.connectNanos = nanos;
            case HANDSHAKE -> exchange.handshakeNanos = nanos;
        }
        arrive(job, now);
    }

    private void fail(Job job, Fault fault, long now) {
        Outcome outcome = switch (fault.kind()) {
            case STATUS -> STATUS;
            case REFUSED -> REFUSED;
            case RESET, BLACK_HOLE -> RESET;
        };
        if (job.exchange != null) {
            job.exchange.unconnected = fault.kind() == Fault.Kind.REFUSED;
        }
        if (fault.kind() != Fault.Kind.BLACK_HOLE) {
            add(now + fault.afterNanos(), Step.ARRIVED, 0, job, outcome);
        }
    }

    private void add(long at, Step step, int epoch, @Nullable Job job, Outcome outcome) {
        events.add(new Event(at, order++, step, epoch, job, outcome));
    }

    private void arrive(Job job, long now) {
        int backend = job.backend;
        if (world.sharing) {
            share(backend, now);
            shared.get(backend).add(job);
            scheduleShared(backend, now);
        } else if (busy[backend] < world.servers) {
            serve(job, now);
        } else if (queues.get(backend).size() < world.queueLimit) {
            queues.get(backend).add(job);
        } else {
            add(now, Step.ARRIVED, 0, job, STATUS);
        }
    }

    private void serve(Job job, long now) {
        busy[job.backend]++;
        long at = endOfWork(world.stalls.get(job.backend), now, job.workNanos);
        if (at < Long.MAX_VALUE) {
            add(at, Step.SERVED, 0, job, Outcome.answered());
        }
    }

    /** The end of work that begins at {@code fromNanos}. No work is done during stalls. */
    private static long endOfWork(List<Span> stalls, long fromNanos, long workNanos) {
        long at = fromNanos;
        long left = workNanos;
        for (Span stall : stalls) { // in chronological order
            if (at < stall.toNanos() && at + left > stall.fromNanos()) {
                left -= Math.max(0, stall.fromNanos() - at);
                at = stall.toNanos();
            }
            if (at == Long.MAX_VALUE) {
                return at;
            }
        }
        return at + left;
    }

    /** Subtracts the work done since the last update of a backend with processor sharing. */
    private void share(int backend, long now) {
        List<Job> jobs = shared.get(backend);
        double each = (now - sharedSinceNanos[backend]) * speed(jobs.size());
        jobs.forEach(job -> job.leftNanos -= each);
        sharedSinceNanos[backend] = now;
    }

    private double speed(int jobs) {
        return Math.min(1, world.servers / (double) Math.max(1, jobs));
    }

    private void scheduleShared(int backend, long now) {
        List<Job> jobs = shared.get(backend);
        int epoch = ++sharedEpoch[backend];
        jobs.stream().min(Comparator.comparingDouble(job -> job.leftNanos)).ifPresent(first -> {
            long at = now + (long) Math.ceil(Math.max(0, first.leftNanos) / speed(jobs.size()));
            add(at, Step.SHARED, epoch, first, Outcome.answered());
        });
    }

    @Override
    public void abandon(Exchange exchange) {
        Job job = inFlight[exchange.slot];
        inFlight[exchange.slot] = null;
        if (job == null) {
            throw new IllegalStateException("the abandoned exchange is not in flight");
        }
        job.exchange = null;
        if (world.sharing && world.dropsAbandoned && shared.get(job.backend).contains(job)) {
            long now = nanos();
            share(job.backend, now);
            shared.get(job.backend).remove(job);
            scheduleShared(job.backend, now);
        }
    }

    @Override
    public void poll(long untilAt) {
        while (true) {
            if (deliver()) {
                return;
            }
            Event next = events.peek();
            long nextAt = next == null || startAt + next.atNanos() - untilAt > 0 ? untilAt : startAt + next.atNanos();
            lastReadNanos = nanos();
            clock.awaitUntil(nextAt);
            long goal = nanos();
            for (Span pause : world.ownPauses) {
                if (goal > pause.fromNanos() && goal < pause.toNanos()) {
                    lastReadNanos = Math.max(lastReadNanos, pause.fromNanos());
                    clock.moveTo(startAt + pause.toNanos());
                }
            }
            settle(nanos());
            if (nanos() >= stopNanos) {
                stopNanos = Long.MAX_VALUE;
                stop.run();
            }
            if (clock.nanoTime() - untilAt >= 0) {
                deliver();
                return;
            }
        }
    }

    /** Handles the events up to {@code now}. */
    private void settle(long now) {
        while (!events.isEmpty() && events.element().atNanos() <= now) {
            handle(events.remove());
        }
    }

    private void handle(Event event) {
        Job job = event.job();
        if (job == null) {
            return;
        }
        switch (event.step()) {
            case ARRIVED -> arrived.add(event);
            case OPENED -> opened(job, event.atNanos());
            case SERVED -> {
                answer(job, event.atNanos());
                free(job.backend, event.atNanos());
            }
            case SHARED -> {
                if (event.epoch() == sharedEpoch[job.backend]) {
                    share(job.backend, event.atNanos());
                    shared.get(job.backend).remove(job);
                    answer(job, event.atNanos());
                    scheduleShared(job.backend, event.atNanos());
                }
            }
        }
    }

    private void answer(Job job, long now) {
        if (job.exchange == null) {
            return;
        }
        long tick = world.tickNanos;
        if (tick > 0 && now % tick != 0) {
            add((now / tick + 1) * tick, Step.ARRIVED, 0, job, Outcome.answered());
        } else {
            arrived.add(new Event(now, order++, Step.ARRIVED, 0, job, Outcome.answered()));
        }
    }

    private void free(int backend, long now) {
        busy[backend]--;
        Deque<Job> queue = queues.get(backend);
        while (!queue.isEmpty()) {
            Job next = queue.remove();
            if (next.exchange != null || !world.dropsAbandoned) {
                serve(next, now);
                return;
            }
        }
    }

    private boolean deliver() {
        boolean delivered = false;
        while (!arrived.isEmpty()) {
            Event event = arrived.remove();
            Exchange exchange = event.job() == null ? null : event.job().exchange;
            if (exchange == null) {
                continue;
            }
            inFlight[exchange.slot] = null;
            exchange.completedAt = clock.nanoTime();
            exchange.firstByteAt = exchange.completedAt;
            exchange.unreadNanos =
                    Math.max(0, Math.min(nanos() - lastReadNanos, exchange.completedAt - exchange.startedAt));
            exchange.unreadNanos = nanos() == event.atNanos() ? 0 : exchange.unreadNanos;
            exchange.outcome = event.outcome();
            exchange.status = event.outcome() == STATUS ? UNAVAILABLE : event.outcome() == Outcome.answered() ? OK : 0;
            listener.completed(exchange);
            delivered = true;
        }
        return delivered;
    }

    @Override
    public ConnectionCounts connections() {
        if (world.connections == World.ENOUGH) {
            return ConnectionCounts.NONE;
        }
        long inUse = Arrays.stream(inFlight).filter(Objects::nonNull).count();
        return new ConnectionCounts(
                world.opensForEach ? opened : world.connections, 0, 0, 0, 0, 0, world.connections, inUse);
    }

    @Override
    public void close() {}
}
