package dev.downbeat.load;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.run.OfferedRate;
import dev.downbeat.run.Stage;
import dev.downbeat.time.DurationText;
import java.io.BufferedReader;
import java.io.IOException;
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
import java.util.PrimitiveIterator;

/**
 * When requests are meant to start, whatever becomes of those before them.
 *
 * <pre>{@code
 * Arrivals.perSecond(500)                                                      // at random, as from many callers
 * Arrivals.perSecond(500).evenly()                                             // one each 2 ms
 * Arrivals.ramp(0, 500, Duration.ofMinutes(1)).then(Arrivals.perSecond(500))
 * }</pre>
 *
 * <p>Arrivals at random are a Poisson process: gaps are exponentially distributed and independent of each other. Which of the
 * possible times they are is chosen by {@link Load#seed}; the same seed gives the same times on every machine.
 *
 * <p>Immutable, so safe for use by any number of threads. An argument that is null is refused with a
 * {@link NullPointerException}.
 */
public final class Arrivals {
    private final List<Part> parts;

    private Arrivals(List<Part> parts) {
        this.parts = List.copyOf(parts);
    }

    /** A law as soon as it is known whether it is random, and by which seed. */
    private sealed interface Law {
        ArrivalProcess of(boolean isRandom, long seed);
    }

    /** A rate that stays, or changes over so long. */
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
     * A stretch by one law.
     *
     * @param ownNanos after how long the law itself has no more requests
     * @param cutNanos after how long it is over
     */
    private record Part(Law law, boolean isRandom, long ownNanos, long cutNanos) {
        Part cut(long mostNanos) {
            return new Part(law, isRandom, ownNanos, Math.min(cutNanos, mostNanos));
        }

        long lengthNanos() {
            return Math.min(ownNanos, cutNanos);
        }

        boolean isPause() {
            return law instanceof Offered offered && offered.rate().isNothing();
        }

        ArrivalProcess process(long seed) {
            return law.of(isRandom, seed);
        }
    }

    private static Arrivals of(Law law, boolean isRandom, long ownNanos) {
        return new Arrivals(List.of(new Part(law, isRandom, ownNanos, Step.ENDLESS)));
    }

    /**
     * So many a second, at random.
     *
     * @param count mean number of requests a second, at least 1
     * @throws IllegalArgumentException if {@code count} is below 1
     */
    public static Arrivals perSecond(long count) {
        return atRate(Rate.perSecond(Given.atLeastOne("perSecond", count)));
    }

    /**
     * So many in each period, at random: for rates that are no whole number a second.
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
        return of(new Offered(OfferedRate.steady(rate), Duration.ZERO), true, Step.ENDLESS);
    }

    /**
     * A rate that changes steadily, and no requests afterwards.
     *
     * @param fromPerSecond requests a second at the beginning, from 0 to 100,000,000
     * @param toPerSecond requests a second at the end, from 0 to 100,000,000
     * @param over how long it takes, above zero, at most 10 days
     * @throws IllegalArgumentException if an argument is out of range
     */
    public static Arrivals ramp(long fromPerSecond, long toPerSecond, Duration over) {
        OfferedRate rate = new OfferedRate(Rate.perSecond(fromPerSecond), Rate.perSecond(toPerSecond));
        long nanos = Given.aboveZero("over", over).toNanos();
        new Ramp(rate.from(), rate.to(), nanos, new Spacing.Even()); // refuses what is out of range, here and not later
        Arrivals changing = of(new Offered(rate, over), true, nanos);
        return rate.isRamp() ? changing : changing.during(over);
    }

    /**
     * A rate as the command line takes it, at random.
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
     * Stretches one after the other as the command line takes them, at random, and no requests afterwards.
     *
     * @param stages at least one, such as {@code 30s:1k/s}, {@code 1m:100..500/s}, {@code 10s:0}
     * @throws IllegalArgumentException with one line that says what is accepted
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

    private static OfferedRate something(OfferedRate rate, String text) {
        if (rate.isNothing()) {
            throw new IllegalArgumentException("a rate must be above 0, but was '" + text + "'");
        }
        return rate;
    }

    /** No requests: a pause between others. */
    public static Arrivals none() {
        return of(new Offered(OfferedRate.steady(Rate.perSecond(0)), Duration.ZERO), false, Step.ENDLESS);
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
     * As an access log has them: in the common or combined log format, with ISO 8601 stamps, or seconds since 1970; the first
     * line decides which. The earliest request is at the start of the run. Requests with the same stamp are spread evenly over
     * what the stamps resolve, since their instants are lost.
     *
     * @param accessLog is read now, in UTF-8
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

    /**
     * At recorded times.
     *
     * @param offsets an offset from the start on each line, such as {@code 1.5s}; is read now, in UTF-8
     * @throws IllegalArgumentException if a line is none; names file and line
     * @throws LoadException if the file cannot be read
     */
    public static Arrivals replay(Path offsets) {
        try (BufferedReader lines = Files.newBufferedReader(offsets, StandardCharsets.UTF_8)) {
            return of(Replay.readOffsets(lines, offsets.toString()));
        } catch (IOException unreadable) {
            throw LoadException.of(offsets, "read", unreadable);
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
     * The same rates, with even gaps instead of random ones; the first request at the very beginning.
     *
     * @throws IllegalArgumentException if these are given times, whose gaps are what they are
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
     * These for so long, and no requests afterwards.
     *
     * @param length above zero, at most 3650 days
     * @throws IllegalArgumentException if {@code length} is out of range
     */
    public Arrivals during(Duration length) {
        return new Arrivals(first(Given.aboveZero("length", length).toNanos()));
    }

    /**
     * These to their end, then others.
     *
     * @throws IllegalArgumentException if these have no end, as a rate has none without {@link #during}
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
     * These for so long, then others.
     *
     * @param after how long these last, counted from their beginning; above zero, at most 3650 days
     * @param next begin then
     * @throws IllegalArgumentException if {@code after} is out of range
     */
    public Arrivals then(Duration after, Arrivals next) {
        List<Part> all = first(Given.aboveZero("after", after).toNanos());
        all.addAll(Objects.requireNonNull(next, "next").parts);
        return new Arrivals(all);
    }

    /** What there is of these in so long, all of which is covered. */
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

    /** Until there are no more; {@link Step#ENDLESS} if that is never. */
    private long lengthNanos() {
        long sum = 0;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            long nanos = i == parts.size() - 1 ? part.lengthNanos() : part.cutNanos();
            if (nanos == Step.ENDLESS) {
                return Step.ENDLESS;
            }
            sum = Math.addExact(sum, nanos);
        }
        return sum;
    }

    /**
     * When they are over, counted from their beginning.
     *
     * @return empty if they have no end
     */
    public Optional<Duration> length() {
        long nanos = lengthNanos();
        return nanos == Step.ENDLESS ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
    }

    /**
     * The intended times, in nanoseconds from the beginning, in order; without end if these have none.
     *
     * @param seed which of the possible random times they are
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

    /** Whether the seed makes a difference. */
    boolean isRandom() {
        return parts.stream().anyMatch(Part::isRandom);
    }

    /** Each part by a seed of its own: two at the same rate must not have the same gaps. */
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

    /**
     * How the command line is told the same for so long.
     *
     * @return empty if it cannot be
     */
    List<String> words(Duration length) {
        List<String> words = new ArrayList<>();
        List<Part> first = first(length.toNanos());
        for (Part part : first) {
            boolean isCutRamp = part.ownNanos() != Step.ENDLESS && part.ownNanos() != part.cutNanos();
            if (!(part.law() instanceof Offered offered) || isCutRamp) {
                return List.of();
            }
            Stage stage = new Stage(Duration.ofNanos(part.cutNanos()), offered.rate());
            boolean isAll = first.size() == 1 && !offered.rate().isRamp();
            words.add(isAll ? "--rate=" + offered.rate().text() : "--stage=" + stage.text());
        }
        boolean isMeant = first.stream().anyMatch(Part::isRandom);
        if (first.stream().anyMatch(part -> part.isRandom() != isMeant && !part.isPause())) {
            return List.of();
        }
        if (!isMeant) {
            words.add("--arrivals=constant");
        }
        if (words.get(0).startsWith("--rate")) {
            words.add("--duration=" + DurationText.format(length.toNanos()).replace(" ", ""));
        }
        return words;
    }

    /** In words, such as {@code Poisson 500/s}. */
    @Override
    public String toString() {
        return process(0).describe();
    }
}
