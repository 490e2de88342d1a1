package dev.downbeat.load;

import dev.downbeat.record.Distribution;
import dev.downbeat.run.Workload;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.time.NanoClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Measures the messages of a queue's consumer from when they were written. The wait in the queue and pauses of this
 * process are part of the response time.
 *
 * <pre>{@code
 * ConsumerRecorder orders = ConsumerRecorder.of("orders");
 * ...
 * try (Request message = orders.message(Instant.ofEpochMilli(record.timestamp()))) {
 *     handle(record);
 *     message.answered();
 * }
 * }</pre>
 */
public final class ConsumerRecorder extends LiveRecorder {
    /** No longer time can be recorded. */
    private static final Duration LONGEST = Duration.ofNanos(Distribution.MAX_NANOS);

    ConsumerRecorder(String name, NanoClock clock, Function<LongConsumer, HealthMonitor> monitors) {
        super(name, Workload.External.ofQueue(), clock, monitors);
    }

    /**
     * Starts a recorder.
     *
     * @param name for the report's first line
     */
    public static ConsumerRecorder of(String name) {
        return new ConsumerRecorder(name, NanoClock.system(), HealthMonitor::start);
    }

    /**
     * Starts work on a message.
     *
     * @param writtenAt by the wall clock, such as Kafka's {@code record.timestamp()}; a time in the future, from a clock
     *     that is ahead, counts as now, and one more than 168 h ago as of then
     * @return the request, which must be ended or closed
     */
    public Request message(Instant writtenAt) {
        Instant now = Instant.now();
        // A timestamp in whole milliseconds was cut. By a finer clock, ages would be half a millisecond too long on
        // average.
        boolean isInMilliseconds = writtenAt.getNano() % 1_000_000 == 0;
        Duration age = Duration.between(writtenAt, isInMilliseconds ? now.truncatedTo(ChronoUnit.MILLIS) : now);
        long ageNanos = age.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : age.isNegative() ? 0 : age.toNanos();
        long noticedAt = now();
        long intendedAt = noticedAt - ageNanos;
        recordMessage(intendedAt);
        return new Request(this, intendedAt, noticedAt);
    }
}
