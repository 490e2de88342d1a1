package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.value.Attempts;
import dev.downbeat.cli.measurement.value.DurationConverter;
import dev.downbeat.cli.measurement.value.Factor;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.cli.measurement.value.SharePercent;
import dev.downbeat.simulate.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** How a caller retries. {@link CliOption} describes each component. */
public record Retries(
        @CliOption(
                names = "--attempts",
                label = "N",
                otherwise = "1",
                help = "Total attempts of a request: a number or unlimited. Default 1.")
        Attempts attempts,

        @CliOption(
                names = "--attempt-timeout",
                label = "TIME",
                help = "Timeout of an attempt. Default: none; --timeout is of the whole request.")
        Optional<Duration> attemptTimeout,

        @CliOption(
                names = "--give-up",
                label = "WHEN",
                otherwise = "timeout",
                help = "At the attempt's timeout (default), while the service goes on with it; or only when the late"
                        + " answer has come: timeout or answer.")
        GiveUp giveUp,

        @CliOption(
                names = "--retry-delay",
                label = "TIME",
                otherwise = "0s",
                help = "Before the first retry. Default 0s.")
        Duration delay,

        @CliOption(
                names = "--retry-backoff",
                label = "FACTOR",
                otherwise = "1",
                help = "Factor by which the delay grows with each retry. Default 1.")
        Factor backoff,

        @CliOption(names = "--retry-delay-max", label = "TIME", help = "Longest delay.")
        Optional<Duration> delayMax,

        @CliOption(
                names = "--retry-jitter",
                label = "HOW",
                otherwise = "none",
                help = "none (default), full (from 0 to the delay) or equal (from its half).")
        RetryPolicy.Jitter jitter,

        @CliOption(
                names = "--retry-budget",
                label = "SHARE",
                help = "Most retries, as a share of the requests: 10%%; up to 100 can accumulate.")
        Optional<SharePercent> budget,

        @CliOption(
                names = "--breaker",
                label = "SHARE",
                help = "Opens the circuit when this share of the last attempts failed: 50%%.")
        Optional<SharePercent> breaker,

        @CliOption(
                names = "--breaker-window",
                label = "N",
                otherwise = "100",
                help = "How many attempts those are. Default 100.")
        long breakerWindow,

        @CliOption(
                names = "--breaker-open",
                label = "TIME",
                otherwise = "1s",
                help = "How long it rejects everything before one attempt may pass. Default 1s.")
        Duration breakerOpen) {
    /** When an attempt times out. */
    public enum GiveUp {
        /** At its timeout. */
        TIMEOUT,
        /** When the late response arrives. */
        ANSWER
    }

    /** Refuses retry options without retries. */
    public Retries {
        boolean shaped = !delay.isZero()
                || !backoff.text().equals("1")
                || delayMax.isPresent()
                || jitter != RetryPolicy.Jitter.NONE
                || budget.isPresent();
        Refusal.when(
                attempts.most() == 1 && shaped,
                "--retry-delay, --retry-backoff, --retry-delay-max, --retry-jitter and --retry-budget need"
                        + " --attempts of 2 or more");
        Refusal.when(
                giveUp == GiveUp.ANSWER && attemptTimeout.isEmpty(),
                "--give-up answer needs --attempt-timeout, which says what is late");
    }

    /** The policy for the simulation. */
    public RetryPolicy toPolicy() {
        return new RetryPolicy(
                attempts.most(),
                attemptTimeout.map(Duration::toNanos).orElse(Long.MAX_VALUE),
                giveUp == GiveUp.ANSWER ? RetryPolicy.GiveUp.AT_LATE_ANSWER : RetryPolicy.GiveUp.AT_TIMEOUT,
                new RetryPolicy.Pause(
                        delay.toNanos(),
                        backoff.of().doubleValue(),
                        delayMax.map(Duration::toNanos).orElse(Long.MAX_VALUE),
                        jitter),
                budget.map(share -> RetryPolicy.Budget.of(share.of())),
                breaker.map(share -> new RetryPolicy.Breaker(
                        share.of(), (int) Math.min(1_000_000, breakerWindow), breakerOpen.toNanos())));
    }

    /** The given options, for the head of a report. */
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        if (attempts.most() == Integer.MAX_VALUE) {
            details.put("attempts", "without end");
        } else if (attempts.most() > 1) {
            details.put("attempts", attempts.most());
        }
        attemptTimeout.ifPresent(time -> details.put("attempt_timeout", DurationConverter.spaced(time)));
        if (giveUp == GiveUp.ANSWER) {
            details.put("given_up", "when the late answer has come");
        }
        if (!delay.isZero()) {
            boolean grows = !backoff.text().equals("1");
            details.put(
                    "retry_delay",
                    DurationConverter.spaced(delay)
                            + (grows ? " x" + backoff.of().doubleValue() : ""));
        }
        if (jitter != RetryPolicy.Jitter.NONE) {
            details.put("retry_jitter", OptionFormat.word(jitter));
        }
        budget.ifPresent(share -> details.put("retry_budget", share.text()));
        breaker.ifPresent(share -> details.put("circuit_breaker", share.text()));
        return details;
    }
}
