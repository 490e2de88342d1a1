package dev.downbeat.load;

import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.time.NanoClock;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Measures the requests of your own load generator, which knows the intended start of each ({@link
 * IntendedTimeScheduler}). Pauses of this process cast doubt on the result. Delays that a pause or the burst after it
 * may have caused are excluded from the lower bounds.
 */
public final class GeneratorRecorder extends LiveRecorder {
    GeneratorRecorder(String name, NanoClock clock, Function<LongConsumer, HealthMonitor> monitors) {
        super(name, Workload.External.ofGenerator(), clock, monitors);
    }

    /**
     * Starts a recorder.
     *
     * @param name for the report's first line
     */
    public static GeneratorRecorder of(String name) {
        return new GeneratorRecorder(name, NanoClock.system(), HealthMonitor::start);
    }

    /**
     * A request is sent now.
     *
     * @param intendedAtNanos the intended start, by {@link System#nanoTime}; a request that is sent earlier counts from now
     * @return the request, which must be ended or closed
     * @throws IllegalArgumentException if that is more than an hour from now, or earlier than this JVM: a reading of another
     *     clock
     */
    public Request request(long intendedAtNanos) {
        long now = now();
        long since = checkReading("intendedAtNanos", intendedAtNanos) - now < 0 ? intendedAtNanos : now;
        trackOpen(since);
        return new Request(this, since, now);
    }

    /**
     * A request without a {@link Request} was answered. All instants are those of {@link System#nanoTime}.
     *
     * @param intendedAtNanos the intended start
     * @param sentAtNanos when it was sent: the start of a conventional stopwatch
     * @param completedAtNanos when it ended
     * @throws IllegalArgumentException if it ended before it was sent or intended, or if two instants are more than an hour
     *     apart: readings of two clocks
     */
    public void answered(long intendedAtNanos, long sentAtNanos, long completedAtNanos) {
        checkOneClock(intendedAtNanos, sentAtNanos);
        checkOneClock(intendedAtNanos, completedAtNanos);
        checkNotBefore("intendedAtNanos", intendedAtNanos, completedAtNanos);
        checkNotBefore("sentAtNanos", sentAtNanos, completedAtNanos);
        answered(null, intendedAtNanos, sentAtNanos, completedAtNanos);
    }

    private static void checkNotBefore(String name, long at, long completedAt) {
        if (completedAt - at < 0) {
            throw new IllegalArgumentException(
                    "completedAtNanos must not be before " + name + ", " + at + ", but was " + completedAt);
        }
    }

    /**
     * A request without a {@link Request} failed now.
     *
     * @param intendedAtNanos the intended start, by {@link System#nanoTime}
     * @param reason one of a few short texts: after the first 200 since {@link #take}, further ones are counted together
     * @throws IllegalArgumentException if that is more than an hour from now, or earlier than this JVM: a reading of another
     *     clock
     */
    public void failed(long intendedAtNanos, String reason) {
        Objects.requireNonNull(reason, "reason");
        failed(null, checkReading("intendedAtNanos", intendedAtNanos), reason);
    }

    /**
     * The end of a request without a {@link Request} will not be observed. Both instants are those of {@link
     * System#nanoTime}.
     *
     * @param intendedAtNanos the intended start
     * @param lastSeenAtNanos when it was last observed
     * @throws IllegalArgumentException if they are more than an hour apart: readings of two clocks
     */
    public void unfinished(long intendedAtNanos, long lastSeenAtNanos) {
        checkOneClock(intendedAtNanos, lastSeenAtNanos);
        recordUnfinished(intendedAtNanos, lastSeenAtNanos);
    }
}
