package dev.downbeat.cli;

import dev.downbeat.run.RunPlan;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** How long to wait for answers, and how many threads keep the schedule. */
final class TimingOptions {
    /** From when a timeout counts. */
    enum From {
        INTENDED,
        SENT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "After how long a request is given up. Default 30s.")
    Duration timeout = Duration.ofSeconds(30);

    @Option(
            names = "--timeout-from",
            paramLabel = "WHEN",
            description = "intended (what a caller's patience counts from; default) or sent.")
    From timeoutFrom = From.INTENDED;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long to wait at the end for what is still out. Default: the timeout.")
    @Nullable
    Duration drain;

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "N",
            description = "Threads that share the schedule and the connections. Default 1.")
    int threads = 1;

    void applyTo(RunPlan.Builder plan) {
        if (threads < 1 || threads > 256) {
            throw new TypeConversionException("--threads must be from 1 to 256, but was " + threads);
        }
        if (timeout.isZero()) {
            throw new TypeConversionException("--timeout must be above 0");
        }
        plan.timeout(timeout)
                .timeoutFrom(timeoutFrom == From.SENT ? RunPlan.TimeoutFrom.SENT : RunPlan.TimeoutFrom.INTENDED)
                .drain(drain == null ? timeout : drain)
                .generators(threads);
    }
}
