package dev.downbeat.capacity;

import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Finds out how a service responds to load: the search for the highest rate first, then what it does in calm, at half of
 * that rate, and what it answers well above it. Use once, on one thread.
 */
public final class Characterisation {
    private static final double CALM = 0.5;
    private static final double TOO_MUCH = 1.25;

    private final RateSearch search;
    private final RateMeasurement measurement;
    private final long calmNanos;
    private final long overloadNanos;
    private volatile boolean stopped;

    /**
     * How long the runs beside the search are.
     *
     * @param calmNanos at half the sustainable rate, above 0
     * @param overloadNanos above what the service can do, above 0
     */
    public record Lengths(long calmNanos, long overloadNanos) {
        /** Checks the ranges. */
        public Lengths {
            if (calmNanos <= 0 || overloadNanos <= 0) {
                throw new IllegalArgumentException(
                        "lengths must be above 0, but were " + calmNanos + " and " + overloadNanos);
            }
        }
    }

    /**
     * Prepares; nothing is measured yet.
     *
     * @param plan of the search
     * @param lengths of what follows it
     * @param measurement makes the runs
     * @param progress told of each step of the search
     */
    public Characterisation(
            SearchPlan plan, Lengths lengths, RateMeasurement measurement, Consumer<RateStep> progress) {
        this.search = new RateSearch(plan, measurement, progress);
        this.measurement = measurement;
        this.calmNanos = lengths.calmNanos();
        this.overloadNanos = lengths.overloadNanos();
    }

    /** Begins no further run. Thread-safe. */
    public void stop() {
        stopped = true;
        search.stop();
    }

    /**
     * Measures all of it.
     *
     * @throws IOException if nothing could be measured
     */
    public Characteristics run() throws IOException {
        Capacity capacity = search.run();
        Optional<RunResult> calm = at(capacity.sustainablePerSecond(), CALM, calmNanos);
        Optional<RunResult> overload = at(capacity.tooHighPerSecond(), TOO_MUCH, overloadNanos);
        return new Characteristics(capacity, calm, overload);
    }

    private Optional<RunResult> at(OptionalDouble rate, double factor, long nanos) throws IOException {
        if (rate.isEmpty() || stopped) {
            return Optional.empty();
        }
        return Optional.of(measurement.measure(RateSearch.rounded(rate.getAsDouble() * factor), nanos));
    }
}
