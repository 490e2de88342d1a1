package dev.downbeat.cli.command;

import dev.downbeat.arrival.Rate;
import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.time.NanoClock;
import dev.downbeat.time.ParkThenSpin;
import dev.downbeat.time.Waiter;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Freezes a server during a run and resumes it, on its own thread. Then asks the server, not the client under test, how
 * long its backlog took.
 */
final class Freezer implements Callable<Freezer.Frozen> {
    private static final long LOOK_NANOS = 1_000_000;
    private static final long LONGEST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LONGEST_BEGIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long SPIN_NANOS = 100_000;

    private final LoopbackProcess server;
    private final Supplier<OptionalLong> runStartAt;
    private final Plan plan;

    /**
     * The plan of a freeze.
     *
     * @param rate rate of the run
     * @param fromNanos start of the freeze, from the first intended time
     * @param lengthNanos length of the freeze
     * @param requests requests of the run
     */
    public record Plan(Rate rate, long fromNanos, long lengthNanos, long requests) {
        /** Whether these are all requests that were due by then, except those that may be under way. */
        boolean isDrained(long answered, long nanos) {
            double perNano = rate.perSecond() / 1e9;
            return answered >= Math.min(requests, (long) (Math.max(0, nanos - 2 * LOOK_NANOS) * perNano) - 1);
        }
    }

    /**
     * The actual freeze, from the first intended time.
     *
     * @param fromNanos when SIGSTOP was sent
     * @param untilNanos when SIGCONT was sent
     * @param drainNanos time until the server had answered all requests that were due
     */
    public record Frozen(long fromNanos, long untilNanos, long drainNanos) {}

    /**
     * Freezes a server, once.
     *
     * @param runStartAt the first intended time of the run on the system clock, once it is determined
     */
    public Freezer(LoopbackProcess server, Supplier<OptionalLong> runStartAt, Plan plan) {
        this.server = server;
        this.runStartAt = runStartAt;
        this.plan = plan;
    }

    @Override
    public Frozen call() throws IOException, InterruptedException {
        long answeredBefore = server.stats().requestsAnswered();
        Waiter waiter = new ParkThenSpin(NanoClock.system(), SPIN_NANOS);
        server.resume(); // starts the shell that sends the signals
        long startAt = awaitStart();
        waiter.awaitUntil(startAt + plan.fromNanos());
        long frozenAt = server.freeze();
        waiter.awaitUntil(frozenAt + plan.lengthNanos());
        long resumedAt = server.resume();
        return new Frozen(
                frozenAt - startAt, resumedAt - startAt, drainedAt(startAt, resumedAt, answeredBefore) - resumedAt);
    }

    private long awaitStart() throws IOException {
        long untilAt = System.nanoTime() + LONGEST_BEGIN_NANOS;
        while (true) {
            OptionalLong startAt = runStartAt.get();
            if (startAt.isPresent()) {
                return startAt.getAsLong();
            }
            if (System.nanoTime() - untilAt > 0) {
                throw new IOException("the run did not begin");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private long drainedAt(long startAt, long resumedAt, long answeredBefore) throws IOException {
        while (true) {
            long now = System.nanoTime();
            long answered = server.stats().requestsAnswered() - answeredBefore;
            if (plan.isDrained(answered, now - startAt) || now - resumedAt > LONGEST_DRAIN_NANOS) {
                return now;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
