package dev.downbeat.load;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.exchange.FileFailures;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.Stage;
import dev.downbeat.time.DurationText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PrimitiveIterator;

/**
 * The schedule of requests, independent of the responses to earlier ones.
 *
 * <pre>{@code
 * Arrivals.perSecond(500)                                                      // at random, as from many callers
 * Arrivals.perSecond(500).evenly()                                             // one each 2 ms
 * Arrivals.ramp(0, 500, Duration.ofMinutes(1)).then(Arrivals.perSecond(500))
 * }</pre>
 *
 * <p>Random arrivals are a Poisson process: gaps are independent and exponentially distributed. {@link Load#seed} selects the
 * times; the same seed gives the same times on every machine.
 *
 * <p>Immutable, thread-safe. A null argument throws a {@link NullPointerException}.
 */
public final class Arrivals {
    private static final double FASTEST_PER_SECOND = 1e8;

    private final List<Part> parts;

    private Arrivals(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /** A law that is resolved once the seed and the spacing are known. */
    private sealed interface Law {
        ArrivalProcess of(boolean isRandom, long seed);
    }

    /** A constant rate, or one that changes over this time. */
    private record Offered(OfferedRate rate, Duration over) implements Law {
        @Override
        public ArrivalProcess of(boolean isRandom, long seed) {
            return rate.over(over, isRandom ? new Spacing.Poisson(seed) : new Spacing.Even());
        }
    }

    private record Recorded(Replay times) implements Law {
        @Override
        public ArrivalProcess of(boolean isRandom, long seed) {
            return times;
        }
    }

    /**
     * A segment with one law.
     *
     * @param ownNanos when the law itself runs out of requests
     * @param cutNanos when the segment ends
     */
    private record Part(Law law, boolean isRandom, long ownNanos, long cutNanos) {
        Part cut(long mostNanos) {
            return new Part(law, isRandom, ownNanos, Math.min(cutNanos, mostNanos));
        }

        long lengthNanos() {
            return cutNanos == Step.ENDLESS ? ownNanos : cutNanos;
        }

        boolean isPause() {
            return law instanceof Offered offered && offered.rate().isZero();
        }

        ArrivalProcess process(long seed) {
            return law.of(isRandom, seed);
        }
    }

    private static Arrivals of(Law law, boolean isRandom, long ownNanos) {
        return new Arrivals(List.of(new Part(law, isRandom, ownNanos, Step.ENDLESS)));
    }

    /**
     * Random arrivals at a mean rate.
     *
     * @param count mean number of requests per second, from 1 to 100,000,000
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public static Arrivals perSecond(long count) {
        return atRate(Rate.perSecond(ArgumentChecks.atLeastOne("perSecond", count)));
    }

    /**
     * Random arrivals at a mean rate that is not a whole number per second.
     *
     * @param count mean number of requests in each period, at least 1, and at most 100,000,000 per second
     * @param period above zero, at most 3650 days
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static Arrivals every(long count, Duration period) {
        long nanos = ArgumentChecks.aboveZero("period", period).toNanos();
        return atRate(new Rate(ArgumentChecks.atLeastOne("count", count), nanos));
    }

    private static Arrivals atRate(Rate rate) {
        if (rate.perSecond() > FASTEST_PER_SECOND) {
            throw new IllegalArgumentException("a rate must be at most 100M/s, but was " + rate.text());
        }
        return of(new Offered(OfferedRate.steady(rate), Duration.ZERO), true, Step.ENDLESS);
    }

    /**
     * A linear ramp, with no requests after it.
     *
     * @param fromPerSecond requests per second at the start, from 0 to 100,000,000
     * @param toPerSecond requests per second at the end, from 0 to 100,000,000
     * @param over duration of the ramp, above zero, at most 10 days
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static Arrivals ramp(long fromPerSecond, long toPerSecond, Duration over) {
        OfferedRate rate = new OfferedRate(Rate.perSecond(fromPerSecond), Rate.perSecond(toPerSecond));
        long nanos = ArgumentChecks.aboveZero("over", over).toNanos();
        new Ramp(rate.from(), rate.to(), nanos, new Spacing.Even()); // rejects invalid values now
        Arrivals changing = of(new Offered(rate, over), true, nanos);
        return rate.isRamp() ? changing : changing.during(over);
    }

    /**
     * Random arrivals at a rate in command-line notation.
     *
     * @param rate such as {@code 500/s}, {@code 1.5k/s}, {@code 30/m}, {@code 50/100ms}, above 0
     * @throws IllegalArgumentException with one line that names the accepted forms
     */
    public static Arrivals rate(String rate) {
        OfferedRate read = requireAboveZero(OfferedRate.parse(rate), rate);
        if (read.isRamp()) {
            throw new IllegalArgumentException(
                    "'" + rate + "' is a ramp: say how long it takes, as in stages(\"1m:" + rate + "\")");
        }
        return atRate(read.from());
    }

    /**
     * Stages in command-line notation, with random arrivals and no requests after the last.
     *
     * @param stages at least one, such as {@code 30s:1k/s}, {@code 1m:100..500/s}, {@code 10s:0}
     * @throws IllegalArgumentException with one line that names the accepted forms
     */
    public static Arrivals stages(String... stages) {
        List<Part> read = Arrays.stream(stages)
                .map(Stage::parse)
                .map(stage -> new Part(
                        new Offered(stage.rate(), stage.duration()),
                        true,
                        Step.ENDLESS,
                        stage.duration().toNanos()))
                .toList();
        if (read.isEmpty()) {
            throw new IllegalArgumentException("stages must be at least one, such as 30s:1k/s");
        }
        return new Arrivals(read);
    }

    private static OfferedRate requireAboveZero(OfferedRate rate, String text) {
        if (rate.isZero()) {
            throw new IllegalArgumentException("a rate must be above 0, but was '" + text + "'");
        }
        return rate;
    }

    /** No requests: a pause between other arrivals. */
    public static Arrivals none() {
        return of(new Offered(OfferedRate.steady(Rate.perSecond(0)), Duration.ZERO), false, Step.ENDLESS);
    }

    /**
     * Arrivals at given times.
     *
     * @param offsets from the start of the run, in any order, none negative, none above 3650 days
     * @throws IllegalArgumentException if an offset is out of range
     */
    public static Arrivals at(Duration... offsets) {
        return of(Replay.of(Arrays.stream(offsets)
                .mapToLong(
                        offset -> ArgumentChecks.notNegative("offset", offset).toNanos())
                .toArray()));
    }

    /**
     * The times of an access log in common or combined log format, with ISO 8601 stamps, or with seconds since 1970.
     * The earliest request is at the start of the run. Requests with equal stamps are spread evenly over the resolution of
     * the stamps.
     *
     * @param accessLog read by this call
     * @throws IllegalArgumentException if a line has no time stamp or there are none; the message names file and line
     * @throws UncheckedIOException if the file cannot be read
     */
    public static Arrivals asLogged(Path accessLog) {
        // a log may hold bytes that are not UTF-8, such as those of user agents, and only its time stamps matter
        try (BufferedReader lines = Files.newBufferedReader(accessLog, StandardCharsets.ISO_8859_1)) {
            return of(Replay.readAccessLog(lines, accessLog.toString()));
        } catch (IOException unreadable) {
            throw FileFailures.unreadable(accessLog, unreadable);
        }
    }

    /**
     * Arrivals at recorded offsets.
     *
     * @param offsets a UTF-8 file with one offset from the start per line, such as {@code 1.5s}; read by this call
     * @throws IllegalArgumentException if a line is not an offset; the message names file and line
     * @throws UncheckedIOException if the file cannot be read
     */
    public static Arrivals replay(Path offsets) {
        try (BufferedReader lines = Files.newBufferedReader(offsets, StandardCharsets.UTF_8)) {
            return of(Replay.readOffsets(lines, offsets.toString()));
        } catch (IOException unreadable) {
            throw FileFailures.unreadable(offsets, unreadable);
        }
    }

    private static Arrivals of(Replay replay) {
        long lastNanos = 0;
        IntendedTimes times = replay.times();
        for (long nanos = times.nextNanos(); nanos != IntendedTimes.END; nanos = times.nextNanos()) {
            lastNanos = nanos;
        }
        return of(new Recorded(replay), false, lastNanos + 1);
    }

    /**
     * The same rates with even gaps instead of random ones; the first request is at the start.
     *
     * @throws IllegalArgumentException for given times, whose gaps are fixed
     */
    public Arrivals evenly() {
        if (parts.stream().allMatch(part -> part.law() instanceof Recorded)) {
            throw new IllegalArgumentException("evenly is for a rate, but these are " + this);
        }
        return new Arrivals(parts.stream()
                .map(part -> new Part(part.law(), false, part.ownNanos(), part.cutNanos()))
                .toList());
    }

    /**
     * This schedule for a time, and no requests afterwards. Its {@link #length} is this time, even if its requests end
     * before.
     *
     * @param length above zero, at most 3650 days
     * @throws IllegalArgumentException if {@code length} is out of range
     */
    public Arrivals during(Duration length) {
        return new Arrivals(first(ArgumentChecks.aboveZero("length", length).toNanos()));
    }

    /**
     * This schedule to its end, followed by another.
     *
     * @throws IllegalArgumentException if this schedule is endless, such as a rate without {@link #during}
     */
    public Arrivals then(Arrivals next) {
        long lengthNanos = lengthNanos();
        if (lengthNanos == Step.ENDLESS) {
            throw new IllegalArgumentException(
                    "then needs arrivals that end, such as during(...), but these are " + this);
        }
        return then(Duration.ofNanos(lengthNanos), next);
    }

    /**
     * This schedule for a time, followed by another.
     *
     * @param after duration of this schedule, above zero, at most 3650 days
     * @param next the schedule from then on
     * @throws IllegalArgumentException if {@code after} is out of range
     */
    public Arrivals then(Duration after, Arrivals next) {
        List<Part> all = first(ArgumentChecks.aboveZero("after", after).toNanos());
        all.addAll(Objects.requireNonNull(next, "next").parts);
        return new Arrivals(all);
    }

    /** The segments within this time, padded to cover all of it. */
    private List<Part> first(long nanos) {
        long leftNanos = nanos;
        List<Part> all = new ArrayList<>();
        for (Part part : parts) {
            if (leftNanos > 0) {
                all.add(part.cut(leftNanos));
            }
            leftNanos -= Math.min(leftNanos, part.cutNanos());
        }
        if (leftNanos > 0) {
            all.add(none().parts.get(0).cut(leftNanos));
        }
        return all;
    }

    /** The total duration; {@link Step#ENDLESS} if endless. */
    private long lengthNanos() {
        long sum = 0;
        for (Part part : parts) {
            if (part.lengthNanos() == Step.ENDLESS) {
                return Step.ENDLESS;
            }
            sum = Math.addExact(sum, part.lengthNanos());
        }
        return sum;
    }

    /** The total duration of what comes before an endless end; all of it if there is none. */
    Duration finiteLength() {
        return Duration.ofNanos(parts.stream()
                .mapToLong(Part::lengthNanos)
                .filter(nanos -> nanos != Step.ENDLESS)
                .reduce(0, Math::addExact));
    }

    /**
     * The end of the schedule, relative to its start.
     *
     * @return empty if the schedule is endless
     */
    public Optional<Duration> length() {
        long nanos = lengthNanos();
        return nanos == Step.ENDLESS ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }

    /**
     * The intended times in nanoseconds from the start, ascending; endless if the schedule is.
     *
     * @param seed selects one of the possible random schedules
     * @return a new iterator; not thread-safe
     */
    public PrimitiveIterator.OfLong times(long seed) {
        IntendedTimes times = process(seed).times();
        long endNanos = lengthNanos();
        return new PrimitiveIterator.OfLong() {
            private long next = times.nextNanos();

            @Override
            public boolean hasNext() {
                return next < endNanos;
            }

            @Override
            public long nextLong() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                long now = next;
                next = times.nextNanos();
                return now;
            }
        };
    }

    /** Arrivals per second, if they are the same without end; empty for a pause and for others. */
    OptionalDouble steadyPerSecond() {
        Part first = parts.get(0);
        boolean isSteady = parts.size() == 1 && first.lengthNanos() == Step.ENDLESS && !first.isPause();
        return isSteady && first.law() instanceof Offered offered
                ? OptionalDouble.of(offered.rate().from().perSecond())
                : OptionalDouble.empty();
    }

    /** Whether the seed matters. */
    boolean isRandom() {
        return parts.stream().anyMatch(Part::isRandom);
    }

    /** Each segment gets its own seed, so that two with the same rate do not have the same gaps. */
    ArrivalProcess process(long seed) {
        if (parts.size() == 1 && parts.get(0).cutNanos() == Step.ENDLESS) {
            return parts.get(0).process(seed);
        }
        List<Step> steps = new ArrayList<>();
        for (Part part : parts) {
            steps.add(new Step(part.process(seed + steps.size()), part.cutNanos()));
        }
        return new Steps(steps);
    }

    /** The equivalent command-line options; empty if there are none. For sessions there is one constant rate only. */
    List<String> arguments(Duration length, boolean ofSessions) {
        List<String> arguments = new ArrayList<>();
        List<Part> first = first(length.toNanos());
        boolean isConstant = false;
        for (Part part : first) {
            if (!(part.law() instanceof Offered offered)) {
                return List.of();
            }
            boolean isCut = offered.over().toNanos() != part.cutNanos();
            if (offered.rate().isRamp() && isCut) {
                return List.of(); // a stage would end at the rate that this one does not reach
            }
            Stage stage = new Stage(Duration.ofNanos(part.cutNanos()), offered.rate());
            isConstant = first.size() == 1 && !offered.rate().isRamp();
            if (ofSessions && !isConstant) {
                return List.of();
            }
            String rate =
                    (ofSessions ? "--sessions=" : "--rate=") + offered.rate().text();
            arguments.add(isConstant ? rate : "--stage=" + stage.text());
        }
        boolean isRandomLoad = first.stream().anyMatch(Part::isRandom);
        if (first.stream().anyMatch(part -> part.isRandom() != isRandomLoad && !part.isPause())) {
            return List.of();
        }
        if (!isRandomLoad) {
            arguments.add("--arrivals=constant");
        }
        if (isConstant) {
            arguments.add("--duration=" + DurationText.word(length.toNanos()));
        }
        return arguments;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Arrivals that && parts.equals(that.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** A description, such as {@code Poisson 500/s}. */
    @Override
    public String toString() {
        return process(0).describe();
    }
}
