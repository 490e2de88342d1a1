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
    private Optional<Unmeasured> unmeasured = Optional.empty();

    /**
     * How long the runs beside the search are.
     *
     * @param calmNanos at half the sustainable rate, above 0
     * @param overloadNanos above what the service can do, above 0
     */
    public record Lengths(long calmNanos, long overloadNanos) {
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
     * Measures all of it, or until a rate cannot be measured: then what is known by then is the answer, which says so.
     *
     * @throws IOException if not even the first rate could be measured, and nobody ended it
     */
    public Characteristics run() throws IOException {
        Capacity capacity = search.run();
        unmeasured = capacity.unmeasured();
        Optional<RunResult> calm = at(capacity.sustainablePerSecond(), CALM, calmNanos);
        Optional<RunResult> overload = at(capacity.tooHighPerSecond(), TOO_MUCH, overloadNanos);
        return new Characteristics(capacity, calm, overload, unmeasured);
    }

    /** A run that was ended before its time says little of so short a time, and is left out as in the search. */
    private Optional<RunResult> at(OptionalDouble rate, double factor, long nanos) {
        if (rate.isEmpty() || unmeasured.isPresent()) {
            return Optional.empty();
        }
        double perSecond = RateSearch.rounded(rate.getAsDouble() * factor);
        try {
            if (!stopped) {
                RunResult run = measurement.measure(perSecond, nanos);
                if (run.ending() != RunResult.Ending.INTERRUPTED) {
                    return Optional.of(run);
                }
            }
            unmeasured = Optional.of(new Unmeasured(perSecond, Unmeasured.INTERRUPTED));
        } catch (IOException gone) {
            String reason = stopped ? Unmeasured.INTERRUPTED : String.valueOf(gone.getMessage());
            unmeasured = Optional.of(new Unmeasured(perSecond, reason));
        }
        return Optional.empty();
    }
}
