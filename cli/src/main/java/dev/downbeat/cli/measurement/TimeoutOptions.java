package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.DurationParser;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.run.RunPlan;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** Timeouts, generator threads and warm-up. {@link CliOption} describes each component. */
public record TimeoutOptions(
        @CliOption(
                names = "--timeout",
                label = "TIME",
                defaultValue = "30s",
                help = "Timeout of a request. Default 30s.")
        Duration timeout,

        @CliOption(
                names = "--timeout-from",
                label = "WHEN",
                defaultValue = "intended",
                help = "When the timeout starts: intended (the intended time; default) or sent.")
        RunPlan.TimeoutFrom timeoutFrom,

        @CliOption(
                names = "--drain",
                label = "TIME",
                help =
                        "How long to wait at the end for outstanding requests. Default: the timeout; in a sweep at most 2s.")
        Optional<Duration> drain,

        @CliOption(
                names = {"-t", "--threads"},
                label = "N",
                defaultValue = "1",
                help = "Threads that share the schedule and connections. Default 1.")
        int threads,

        @CliOption(
                names = "--warm-up",
                label = "TIME",
                help = "Unmeasured load before the run: a duration, or auto (until the median is steady). "
                        + "Default none.")
        Optional<WarmUpTime> warmUp) {
    public static final TimeoutOptions DEFAULTS = Values.of(TimeoutOptions.class, Map.of());

    public TimeoutOptions {
        Refusal.when(timeout.isZero(), "--timeout must be above 0");
        Refusal.when(threads < 1 || threads > 256, "--threads must be from 1 to 256, but was " + threads);
    }

    /** The same with a limit on the drain, unless one is given. */
    public TimeoutOptions drainingAtMost(Duration most) {
        Duration shorter = timeout.compareTo(most) < 0 ? timeout : most;
        return new TimeoutOptions(timeout, timeoutFrom, drain.or(() -> Optional.of(shorter)), threads, warmUp);
    }

    public void applyTo(RunPlan.Builder plan) {
        plan.timeout(timeout)
                .timeoutFrom(timeoutFrom)
                .drain(drain.orElse(timeout))
                .generators(threads);
        warmUp.ifPresent(time -> time.applyTo(plan));
    }

    /** {@code --warm-up}: a duration; empty for until the median is steady. */
    public record WarmUpTime(Optional<Duration> length) {
        private static final String UNTIL_STEADY = "auto";

        public void applyTo(RunPlan.Builder plan) {
            length.ifPresentOrElse(plan::warmUp, plan::warmUpUntilSteady);
        }

        public static WarmUpTime parse(String text) {
            try {
                return new WarmUpTime(
                        text.equals(UNTIL_STEADY) ? Optional.empty() : Optional.of(DurationParser.parse(text)));
            } catch (TypeConversionException noDuration) {
                throw new TypeConversionException("'" + text + "' is not auto or a duration such as 5s");
            }
        }

        public String text() {
            return length.map(DurationParser::text).orElse(UNTIL_STEADY);
        }
    }
}
