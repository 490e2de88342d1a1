package dev.downbeat.gatling;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Rate;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.Spacing;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.gatling.correction.BeatInjection;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * When users are meant to arrive, to the nanosecond: {@code Arrivals.poisson(Rate.perSecond(200), 7, ofSeconds(20))}. The
 * same values give the same instants again, chance included. Immutable.
 */
public final class Arrivals {
    private final List<Step> steps;

    private Arrivals(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    private static Arrivals of(ArrivalProcess process, Duration during) {
        return new Arrivals(List.of(new Step(process, during.toNanos())));
    }

    /** Evenly spaced. */
    public static Arrivals constant(Rate rate, Duration during) {
        return of(new Constant(rate), during);
    }

    /**
     * As from many independent users.
     *
     * @param seed of the chance; steps that follow each other need different ones
     */
    public static Arrivals poisson(Rate rate, long seed, Duration during) {
        return of(new Poisson(rate, seed), during);
    }

    /** Evenly spaced, at a rate that changes evenly. */
    public static Arrivals ramp(Rate from, Rate to, Duration during) {
        return of(new Ramp(from, to, during.toNanos(), new Spacing.Even()), during);
    }

    /** As from many independent users, whose number changes evenly. */
    public static Arrivals poissonRamp(Rate from, Rate to, long seed, Duration during) {
        return of(new Ramp(from, to, during.toNanos(), new Spacing.Poisson(seed)), during);
    }

    /** Nobody. */
    public static Arrivals nobody(Duration during) {
        return of(new Constant(Rate.perSecond(0)), during);
    }

    /**
     * At recorded instants.
     *
     * @param offsets from the start, in order, at least one
     */
    public static Arrivals replay(Duration... offsets) {
        long[] nanos = new long[offsets.length];
        for (int i = 0; i < offsets.length; i++) {
            nanos[i] = offsets[i].toNanos();
        }
        return replay(Replay.of(nanos));
    }

    /**
     * At recorded instants, an offset such as {@code 1.5s} on each line of a file.
     *
     * @throws IOException if the file cannot be read; the message of a malformed line says which
     */
    public static Arrivals replay(Path offsets) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(offsets)) {
            return replay(Replay.readOffsets(lines, offsets.toString()));
        }
    }

    private static Arrivals replay(Replay recorded) {
        long lastNanos = 0;
        var times = recorded.times();
        for (long nanos = times.nextNanos();
                nanos != dev.downbeat.arrival.IntendedTimes.END;
                nanos = times.nextNanos()) {
            lastNanos = nanos;
        }
        return new Arrivals(List.of(new Step(recorded, lastNanos + 1)));
    }

    /** These, and then others. */
    public Arrivals then(Arrivals next) {
        List<Step> all = new ArrayList<>(steps);
        all.addAll(next.steps);
        return new Arrivals(all);
    }

    BeatInjection injection() {
        long durationNanos = steps.stream().mapToLong(Step::durationNanos).reduce(0, Math::addExact);
        return new BeatInjection(new Steps(steps), durationNanos);
    }
}
