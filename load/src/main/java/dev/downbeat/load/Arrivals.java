package dev.downbeat.load;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.Stage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The schedule of requests, independent of the responses to earlier ones.
 *
 * <pre>{@code
 * Arrivals.perSecond(500)                                                      // at random, as from many callers
 * Arrivals.perSecond(500).evenly()                                             // one each 2 ms
 * Arrivals.ramp(0, 500, Duration.ofMinutes(1)).then(Duration.ofMinutes(1), Arrivals.perSecond(500))
 * }</pre>
 *
 * <p>Random arrivals are a Poisson process: gaps are independent and exponentially distributed. {@link Load#seed} selects the
 * times; the same seed gives the same times on every machine.
 *
 * <p>Immutable, thread-safe. A null argument is refused with a {@link NullPointerException}.
 */
public final class Arrivals {
    private final List<Part> parts;

    private Arrivals(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /** A law as soon as it is known whether it is random, and by which seed. */
    private interface Law {
        ArrivalProcess of(boolean isRandom, long seed);
    }

    private record Part(Law law, boolean isRandom, long lengthNanos) {
        Part cut(long mostNanos) {
            return new Part(law, isRandom, Math.min(lengthNanos, mostNanos));
        }

        ArrivalProcess process(long seed) {
            return law.of(isRandom, seed);
        }
    }

    private static Arrivals of(Law law) {
        return new Arrivals(List.of(new Part(law, true, Step.ENDLESS)));
    }

    /**
     * Random arrivals at a mean rate.
     *
     * @param count mean number of requests a second, at least 1
     * @throws IllegalArgumentException if {@code count} is below 1
     */
    public static Arrivals perSecond(long count) {
        return atRate(Rate.perSecond(Given.atLeastOne("perSecond", count)));
    }

    /**
     * Random arrivals at a mean rate that is not a whole number per second.
     *
     * @param count mean number of requests in each period, at least 1
     * @param period above zero, at most 3650 days
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static Arrivals every(long count, Duration period) {
        long nanos = Given.aboveZero("period", period).toNanos();
        return atRate(new Rate(Given.atLeastOne("count", count), nanos));
    }

    private static Arrivals atRate(Rate rate) {
        return of((isRandom, seed) -> isRandom ? new Poisson(rate, seed) : new Constant(rate));
    }

    /**
     * A linear ramp, with no requests after it.
     *
     * @param fromPerSecond requests a second at the beginning, from 0 to 100,000,000
     * @param toPerSecond requests a second at the end, from 0 to 100,000,000
     * @param over how long it takes, above zero, at most 10 days
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static Arrivals ramp(long fromPerSecond, long toPerSecond, Duration over) {
        Rate from = Rate.perSecond(fromPerSecond);
        Rate to = Rate.perSecond(toPerSecond);
        long nanos = Given.aboveZero("over", over).toNanos();
        new Ramp(from, to, nanos, new Spacing.Even()); // refuses what is out of range, here and not when it is run
        return of((isRandom, seed) ->
                new Ramp(from, to, nanos, isRandom ? new Spacing.Poisson(seed) : new Spacing.Even()));
    }

    /**
     * Random arrivals at a rate in the notation of the command line.
     *
     * @param rate such as {@code 500/s}, {@code 1.5k/s}, {@code 30/m}, {@code 50/100ms}, above 0
     * @throws IllegalArgumentException with one line that says what is accepted
     */
    public static Arrivals rate(String rate) {
        OfferedRate read = something(OfferedRate.parse(rate), rate);
        if (read.isRamp()) {
            throw new IllegalArgumentException(
                    "'" + rate + "' is a ramp: say how long it takes, as in stages(\"1m:" + rate + "\")");
        }
        return atRate(read.from());
    }

    /**
     * Stages in the notation of the command line, with random arrivals and no requests after the last.
     *
     * @param stages at least one, such as {@code 30s:1k/s}, {@code 1m:100..500/s}, {@code 10s:0}
     * @throws IllegalArgumentException with one line that says what is accepted
     */
    public static Arrivals stages(String... stages) {
        List<Part> read = Arrays.stream(stages)
                .map(Stage::parse)
                .map(stage -> new Part(
                        (isRandom, seed) -> stage.rate()
                                .over(stage.duration(), isRandom ? new Spacing.Poisson(seed) : new Spacing.Even()),
                        true,
                        stage.duration().toNanos()))
                .toList();
        if (read.isEmpty()) {
            throw new IllegalArgumentException("stages must be at least one, such as 30s:1k/s");
        }
        return new Arrivals(read);
    }

    private static OfferedRate something(OfferedRate rate, String text) {
        if (rate.isNothing()) {
            throw new IllegalArgumentException("a rate must be above 0, but was '" + text + "'");
        }
        return rate;
    }

    /** No requests: a pause between others. */
    public static Arrivals none() {
        return atRate(Rate.perSecond(0)).evenly();
    }

    /**
     * At given times.
     *
     * @param offsets from the start of the run, in any order, none negative, none above 3650 days
     * @throws IllegalArgumentException if an offset is out of range
     */
    public static Arrivals at(Duration... offsets) {
        return of(Replay.of(Arrays.stream(offsets)
                .mapToLong(offset -> Given.notNegative("offset", offset).toNanos())
                .toArray()));
    }

    /**
     * The times of an access log: the common or combined log format, ISO 8601 stamps, or seconds since 1970, as its first line
     * shows. The earliest request is at the start of the run. Requests with the same stamp are spread evenly over the
     * resolution of the stamps.
     *
     * @param accessLog in UTF-8, read by this call
     * @throws IllegalArgumentException if a line has no time stamp, or there is none at all; names file and line
     * @throws LoadException if the file cannot be read
     */
    public static Arrivals asLogged(Path accessLog) {
        try (BufferedReader lines = Files.newBufferedReader(accessLog, StandardCharsets.UTF_8)) {
            return of(Replay.readAccessLog(lines, accessLog.toString()));
        } catch (IOException unreadable) {
            throw LoadException.of(accessLog, "read", unreadable);
        }
    }

    private static Arrivals of(Replay replay) {
        return new Arrivals(List.of(new Part((isRandom, seed) -> replay, false, Step.ENDLESS)));
    }

    /** The same rates with even gaps instead of random ones; the first request is at the start. */
    public Arrivals evenly() {
        return new Arrivals(parts.stream()
                .map(part -> new Part(part.law(), false, part.lengthNanos()))
                .toList());
    }

    /**
     * This schedule for a time, followed by another.
     *
     * @param after how long these last, counted from their beginning; above zero, at most 3650 days
     * @param next begin then
     * @throws IllegalArgumentException if {@code after} is out of range
     */
    public Arrivals then(Duration after, Arrivals next) {
        long leftNanos = Given.aboveZero("after", after).toNanos();
        List<Part> all = new ArrayList<>();
        for (Part part : parts) {
            if (leftNanos > 0) {
                all.add(part.cut(leftNanos));
            }
            leftNanos -= Math.min(leftNanos, part.lengthNanos());
        }
        all.addAll(Objects.requireNonNull(next, "next").parts);
        return new Arrivals(all);
    }

    /** Whether the seed makes a difference. */
    boolean isRandom() {
        return parts.stream().anyMatch(Part::isRandom);
    }

    /** Each part by a seed of its own: two at the same rate must not have the same gaps. */
    ArrivalProcess process(long seed) {
        if (parts.size() == 1 && parts.get(0).lengthNanos() == Step.ENDLESS) {
            return parts.get(0).process(seed);
        }
        List<Step> steps = new ArrayList<>();
        for (Part part : parts) {
            steps.add(new Step(part.process(seed + steps.size()), part.lengthNanos()));
        }
        return new Steps(steps);
    }

    /** In words, such as {@code Poisson 500/s}. */
    @Override
    public String toString() {
        return process(0).describe();
    }
}
