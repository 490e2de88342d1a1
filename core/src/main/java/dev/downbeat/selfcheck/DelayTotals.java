package dev.downbeat.selfcheck;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Sources of delay that a measuring process can observe: running totals in nanoseconds. */
public interface DelayTotals {
    /** No delays, as in virtual time. */
    DelayTotals IDEAL = new FixedDelays(0, 0, 0);

    record FixedDelays(long runDelayNanos, long hiccupNanos, long gcNanos) implements DelayTotals {}

    /** Time that this thread was runnable without a processor; -1 if the system does not report it. */
    long runDelayNanos();

    /** Total oversleep of a mostly sleeping thread of this process. */
    long hiccupNanos();

    /** Total time of stop-the-world collections. */
    long gcNanos();

    /** Total delay from all of these. */
    default long totalNanos() {
        long delayNanos = runDelayNanos();
        return (delayNanos < 0 ? hiccupNanos() : delayNanos) + gcNanos();
    }

    /** For a process whose threads are not Downbeat's. */
    static DelayTotals ofThisProcess(HealthMonitor monitor) {
        return of(monitor, RunDelay.unknown());
    }

    /** For the thread of this run delay. */
    static DelayTotals of(HealthMonitor monitor, RunDelay delay) {
        return new DelayTotals() {
            @Override
            public long runDelayNanos() {
                return delay.nanos();
            }

            @Override
            public long hiccupNanos() {
                return monitor.hiccupNanos();
            }

            @Override
            public long gcNanos() {
                return monitor.gcNanos();
            }
        };
    }

    /**
     * Time that one thread was runnable without a processor: the second number of {@code /proc/PID/task/TID/schedstat},
     * which Linux counts exactly (Documentation/scheduler/sched-stats). Opened and read by that thread; a reading takes
     * about two microseconds and allocates nothing.
     */
    final class RunDelay implements AutoCloseable {
        private static final int ROOM = 96;

        private final @Nullable FileChannel file;
        private final ByteBuffer text = ByteBuffer.allocateDirect(ROOM);

        private RunDelay(@Nullable FileChannel file) {
            this.file = file;
        }

        /** For the calling thread, which must be a platform thread. */
        public static RunDelay ofThisThread() {
            try {
                Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")); // PID/task/TID
                return new RunDelay(FileChannel.open(
                        Path.of("/proc").resolve(thread).resolve("schedstat"), StandardOpenOption.READ));
            } catch (IOException | RuntimeException unavailable) {
                return unknown();
            }
        }

        /** For a thread without this information. */
        public static RunDelay unknown() {
            return new RunDelay(null);
        }

        /** Nanoseconds since the thread started; -1 if the system does not report it. */
        public long nanos() {
            if (file == null) {
                return -1;
            }
            try {
                text.clear();
                int length = file.read(text, 0);
                return length <= 0 ? -1 : second(text, length);
            } catch (IOException unavailable) {
                return -1;
            }
        }

        /** The second number of a line such as "123 456 7"; -1 if there is none. */
        static long second(ByteBuffer line, int length) {
            int at = 0;
            while (at < length && line.get(at) != ' ') {
                at++;
            }
            long number = -1;
            for (at++; at < length && line.get(at) >= '0' && line.get(at) <= '9'; at++) {
                number = Math.max(0, number) * 10 + line.get(at) - '0';
            }
            return number;
        }

        @Override
        public void close() {
            try {
                if (file != null) {
                    file.close();
                }
            } catch (IOException unavailable) {
                // Only reads were made, so nothing is lost.
            }
        }
    }
}
