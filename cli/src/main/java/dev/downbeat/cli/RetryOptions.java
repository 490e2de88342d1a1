package dev.downbeat.cli;

import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.time.DurationText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What a caller does that gets no answer. */
final class RetryOptions {
    /** When an attempt is given up. */
    enum GiveUp {
        TIMEOUT,
        ANSWER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How chance takes part in a delay. */
    enum Jitter {
        NONE,
        FULL,
        EQUAL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--attempts",
            paramLabel = "N",
            converter = AttemptsConverter.class,
            description = "How often a request is tried in all: a number or unlimited. Default 1.")
    int attempts = 1;

    @Option(
            names = "--attempt-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "After how long an attempt is given up. Default: never; --timeout ends the whole request.")
    @Nullable
    Duration attemptTimeout;

    @Option(
            names = "--give-up",
            paramLabel = "WHEN",
            description = "At the attempt's timeout (default), while the service goes on with it; or only when the late"
                    + " answer has come: timeout or answer.")
    GiveUp giveUp = GiveUp.TIMEOUT;

    @Option(
            names = "--retry-delay",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Before the first retry. Default 0s.")
    Duration delay = Duration.ZERO;

    @Option(
            names = "--retry-backoff",
            paramLabel = "FACTOR",
            converter = FactorConverter.class,
            description = "By which the delay grows with each further retry. Default 1.")
    double backoff = 1;

    @Option(
            names = "--retry-delay-max",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The delay grows no further than this.")
    @Nullable
    Duration delayMax;

    @Option(
            names = "--retry-jitter",
            paramLabel = "HOW",
            description = "none (default), full (from 0 to the delay) or equal (from its half).")
    Jitter jitter = Jitter.NONE;

    @Option(
            names = "--retry-budget",
            paramLabel = "SHARE",
            converter = SharePercent.Converter.class,
            description = "At most so many retries, as a share of the requests: 10%%; up to 100 can be saved up.")
    @Nullable
    SharePercent budget;

    @Option(
            names = "--breaker",
            paramLabel = "SHARE",
            converter = SharePercent.Converter.class,
            description = "Opens the circuit when so many of the last attempts failed: 50%%.")
    @Nullable
    SharePercent breaker;

    @Option(
            names = "--breaker-window",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "How many attempts those are. Default 100.")
    long breakerWindow = 100;

    @Option(
            names = "--breaker-open",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long it fails everything at once, before one attempt may pass. Default 1s.")
    Duration breakerOpen = Duration.ofSeconds(1);

    RetryPolicy toPolicy() {
        refuseWithoutRetries();
        long first = delay.toNanos();
        return new RetryPolicy(
                attempts,
                attemptTimeout == null ? Long.MAX_VALUE : attemptTimeout.toNanos(),
                giveUp == GiveUp.ANSWER ? RetryPolicy.GiveUp.AT_LATE_ANSWER : RetryPolicy.GiveUp.AT_TIMEOUT,
                new RetryPolicy.Pause(
                        first,
                        backoff,
                        delayMax == null ? Long.MAX_VALUE : delayMax.toNanos(),
                        RetryPolicy.Jitter.valueOf(jitter.name())),
                Optional.ofNullable(budget).map(share -> RetryPolicy.Budget.of(share.of())),
                Optional.ofNullable(breaker)
                        .map(share -> new RetryPolicy.Breaker(
                                share.of(), (int) Math.min(1_000_000, breakerWindow), breakerOpen.toNanos())));
    }

    private void refuseWithoutRetries() {
        boolean shaped = !delay.isZero() || backoff != 1 || delayMax != null || jitter != Jitter.NONE || budget != null;
        if (attempts == 1 && shaped) {
            throw new TypeConversionException(
                    "--retry-delay, --retry-backoff, --retry-delay-max, --retry-jitter and --retry-budget need"
                            + " --attempts of 2 or more");
        }
        if (giveUp == GiveUp.ANSWER && attemptTimeout == null) {
            throw new TypeConversionException("--give-up answer needs --attempt-timeout, which says what is late");
        }
    }

    /** What was said, for the head of a report. */
    Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        if (attempts == Integer.MAX_VALUE) {
            details.put("attempts", "without end");
        } else if (attempts > 1) {
            details.put("attempts", attempts);
        }
        if (attemptTimeout != null) {
            details.put("attempt_timeout", DurationText.format(attemptTimeout.toNanos()));
        }
        if (giveUp == GiveUp.ANSWER) {
            details.put("given_up", "when the late answer has come");
        }
        if (!delay.isZero()) {
            details.put("retry_delay", DurationText.format(delay.toNanos()) + (backoff == 1 ? "" : " x" + backoff));
        }
        if (jitter != Jitter.NONE) {
            details.put("retry_jitter", jitter.toString());
        }
        if (budget != null) {
            details.put("retry_budget", budget.text());
        }
        if (breaker != null) {
            details.put("circuit_breaker", breaker.text());
        }
        return details;
    }

    /** Reads a number or {@code unlimited}. */
    static final class AttemptsConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            if (text.equals("unlimited")) {
                return Integer.MAX_VALUE;
            }
            long count = new CountConverter().convert(text);
            if (count > 1_000_000) {
                throw new TypeConversionException(
                        "--attempts must be from 1 to 1000000 or unlimited, but was '" + text + "'");
            }
            return (int) count;
        }
    }

    /** Reads {@code 2} or {@code 1.5}. */
    static final class FactorConverter implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            double factor = DecimalText.parse(text)
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a factor such as 2 or 1.5"))
                    .doubleValue();
            if (factor < 1 || factor > 1_000) {
                throw new TypeConversionException("a factor must be from 1 to 1000, but was '" + text + "'");
            }
            return factor;
        }
    }
}
