package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CountParser;
import dev.downbeat.cli.measurement.option.OptionFormat;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.run.DecimalText;
import dev.downbeat.run.RunPlan;
import dev.downbeat.simulate.RetryPolicy;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.time.DurationText;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** Everything that defines a simulation. {@link CliOption} describes each component. */
public record SimulationOptions(
        @CliOption(names = "Load") LoadOptions load,
        @CliOption(names = "Timeouts, threads, warm-up") TimeoutOptions waiting,
        @CliOption(names = "Service") Service service,
        @CliOption(names = "Retries") Retries retries,
        @CliOption(names = "Objectives") Objectives objectives,
        @CliOption(names = "Confidence") Objectives.Certainty certainty) {
    public SimulationOptions {
        Refusal.when(waiting.threads() != 1, "--threads must be 1: virtual time has one thread only");
    }

    /** The same with all defaults and random choices filled in. */
    public SimulationOptions resolved() {
        LoadOptions complete =
                Values.withSeed(load.withDefaults(Measurement.DEFAULT_RATE, Measurement.DEFAULT_DURATION));
        return new SimulationOptions(complete, waiting, service, retries, objectives, certainty);
    }

    /**
     * The plan. Long simulations have longer intervals, since each costs as much as thousands of requests and only a
     * limited number is kept.
     */
    public RunPlan plan() throws IOException {
        RunPlan plan = Measurement.plan(load, waiting);
        long intervalNanos = plan.intervalNanos();
        while (plan.durationNanos() < Long.MAX_VALUE && plan.durationNanos() / intervalNanos > IntervalTimeline.MOST) {
            intervalNanos *= 2;
        }
        return plan.inIntervals(Duration.ofNanos(intervalNanos));
    }

    /** How a caller retries. {@link CliOption} describes each component. */
    public record Retries(
            @CliOption(
                    names = "--attempts",
                    label = "N",
                    defaultValue = "1",
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
                    defaultValue = "timeout",
                    help = "When to abandon a late attempt: timeout (default; the service does not notice),"
                            + " or answer (when its late answer arrives).")
            GiveUp giveUp,

            @CliOption(
                    names = "--retry-delay",
                    label = "TIME",
                    defaultValue = "0s",
                    help = "Delay before the first retry. Default 0s.")
            Duration delay,

            @CliOption(
                    names = "--retry-backoff",
                    label = "FACTOR",
                    defaultValue = "1",
                    help = "Factor by which the delay grows with each retry. Default 1.")
            Factor backoff,

            @CliOption(names = "--retry-delay-max", label = "TIME", help = "Longest delay.")
            Optional<Duration> delayMax,

            @CliOption(
                    names = "--retry-jitter",
                    label = "HOW",
                    defaultValue = "none",
                    help = "none (default), full (from 0 to the delay) or equal (from its half).")
            RetryPolicy.Jitter jitter,

            @CliOption(
                    names = "--retry-budget",
                    label = "SHARE",
                    help = "Maximum retries, as a share of the requests: 10%%; up to 100 can accumulate.")
            Optional<SharePercent> budget,

            @CliOption(
                    names = "--breaker",
                    label = "SHARE",
                    help = "Opens the circuit when this share of the last attempts failed: 50%%.")
            Optional<SharePercent> breaker,

            @CliOption(
                    names = "--breaker-window",
                    label = "N",
                    defaultValue = "100",
                    help = "Number of attempts considered. Default 100.")
            long breakerWindow,

            @CliOption(
                    names = "--breaker-open",
                    label = "TIME",
                    defaultValue = "1s",
                    help = "How long the open circuit rejects attempts before letting one through. Default 1s.")
            Duration breakerOpen) {
        public enum GiveUp {
            TIMEOUT,
            ANSWER
        }

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
                    breaker.isEmpty() && (breakerWindow != 100 || !breakerOpen.equals(Duration.ofSeconds(1))),
                    "--breaker-window and --breaker-open need --breaker");
            Refusal.when(
                    giveUp == GiveUp.ANSWER && attemptTimeout.isEmpty(),
                    "--give-up answer needs --attempt-timeout, which defines a late answer");
        }

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
            attemptTimeout.ifPresent(time -> details.put("attempt_timeout", DurationText.format(time.toNanos())));
            if (giveUp == GiveUp.ANSWER) {
                details.put("given_up", "when the late answer has come");
            }
            if (!delay.isZero()) {
                boolean grows = !backoff.text().equals("1");
                details.put(
                        "retry_delay",
                        DurationText.format(delay.toNanos())
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

    /** A simulated service. {@link CliOption} describes each component. */
    public record Service(
            @CliOption(
                    names = "--service",
                    label = "LAW",
                    defaultValue = "exp:1ms",
                    help = "Service time of a server: 2ms, exp:2ms, lognormal:2ms,0.5 (median, sigma), "
                            + "pareto:1ms,1.5 (least,"
                            + " exponent), bimodal:1ms,50ms,1%% or hyperexp:100us,10ms,0.1%% (two "
                            + "exponential laws). Default"
                            + " exp:1ms.")
            ServiceLaw law,

            @CliOption(
                    names = "--servers",
                    label = "N",
                    defaultValue = "1",
                    help = "Servers that share one queue, first come first served. Default 1.")
            long servers,

            @CliOption(
                    names = "--queue-limit",
                    label = "N",
                    help = "Maximum queue length; further requests are refused. Default: no limit.")
            Optional<Long> queueLimit,

            @CliOption(
                    names = "--stall",
                    label = "STALL",
                    help = "All servers stall: 1s@5s (length, start) or 'every 10s for 200ms'; repeatable.")
            List<Stall> stalls,

            @CliOption(
                    names = "--drop-abandoned",
                    help = "The service drops requests whose callers no longer wait, instead of processing them.")
            boolean dropAbandoned,

            @CliOption(
                    names = {"-c", "--connections"},
                    label = "N",
                    defaultValue = "100000",
                    help = "Maximum requests in flight; further ones wait, and the wait is included. Default 100k.")
            long connections) {
        public Service {
            stalls = List.copyOf(stalls);
            refuseMany("--servers", servers);
            refuseMany("--queue-limit", queueLimit.orElse(1L));
            Refusal.when(
                    connections > Simulation.MOST_CONNECTIONS,
                    "-c must be from 1 to " + Simulation.MOST_CONNECTIONS + ", but was " + connections);
        }

        private static void refuseMany(String option, long count) {
            Refusal.when(
                    count > Integer.MAX_VALUE, option + " must be at most " + Integer.MAX_VALUE + ", but was " + count);
        }

        public SimulatedService toService() {
            int limit = queueLimit.map(Long::intValue).orElse(Integer.MAX_VALUE);
            return new SimulatedService(law, (int) servers, limit, stalls, dropAbandoned);
        }
    }

    /** Attempts per request, at least 1; {@link Integer#MAX_VALUE} for no limit. */
    public record Attempts(int most) {
        private static final String UNLIMITED = "unlimited";

        public static Attempts parse(String text) {
            if (text.equals(UNLIMITED)) {
                return new Attempts(Integer.MAX_VALUE);
            }
            long count = CountParser.parse(text);
            Refusal.when(
                    count > 1_000_000, "--attempts must be from 1 to 1000000 or unlimited, but was '" + text + "'");
            return new Attempts((int) count);
        }

        public String text() {
            return most == Integer.MAX_VALUE ? UNLIMITED : Integer.toString(most);
        }
    }

    /** A growth factor, from 1 to 1000. */
    public record Factor(BigDecimal of) {
        /** Parses {@code 2} or {@code 1.5}. */
        public static Factor parse(String text) {
            BigDecimal factor = DecimalText.parse(text)
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a factor such as 2 or 1.5"));
            Refusal.when(
                    factor.compareTo(BigDecimal.ONE) < 0 || factor.compareTo(BigDecimal.valueOf(1_000)) > 0,
                    "a factor must be from 1 to 1000, but was '" + text + "'");
            return new Factor(factor.stripTrailingZeros());
        }

        public String text() {
            return of.toPlainString();
        }
    }

    /** A share above 0, up to 1, and its text as written. */
    public record SharePercent(double of, String text) {
        /** Parses {@code 10%}. */
        public static SharePercent parse(String text) {
            String number =
                    text.endsWith("%") ? text.substring(0, text.length() - 1).stripTrailing() : "";
            BigDecimal percent = DecimalText.parse(number)
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a share such as 10%"));
            Refusal.when(
                    percent.signum() == 0 || percent.compareTo(BigDecimal.valueOf(100)) > 0,
                    "a share must be above 0% and up to 100%, but was '" + text + "'");
            return new SharePercent(percent.movePointLeft(2).doubleValue(), text);
        }
    }
}
