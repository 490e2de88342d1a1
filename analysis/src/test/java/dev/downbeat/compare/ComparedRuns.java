package dev.downbeat.compare;

import dev.downbeat.event.Incident;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.CorrectedRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Runs to compare, of an open load. */
final class ComparedRuns {
    static final int RATE = 200;

    private ComparedRuns() {}

    static ComparedSide side(String name, double factor, double failing) {
        return new ComparedSide(name, List.of(run(name, factor, failing, name.hashCode())));
    }

    /** 30 s. */
    static ComparedRun run(String name, double factor, double failing, long seed) {
        return readLate(0, name, factor, failing, seed);
    }

    /** The same, whose responses Downbeat read late. */
    static ComparedRun readLate(long nanos, String name, double factor, double failing, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Recording> seconds = new ArrayList<>();
        for (int second = 0; second < 30; second++) {
            CorrectedRecorder recorder = new CorrectedRecorder();
            double level = 1e6 * factor * Math.exp(0.05 * random.nextGaussian());
            recorder.planned(RATE);
            for (int i = 0; i < RATE; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.completedAt = (long) (level * (1 + random.nextExponential())) + nanos;
                exchange.readLateNanos = nanos;
                exchange.outcome =
                        random.nextDouble() < failing ? Outcome.failed("connection refused") : Outcome.answered();
                recorder.completed(exchange);
            }
            seconds.add(recorder.drain());
        }
        return new ComparedRun(name, seconds, "open", OptionalDouble.of(RATE), List.of());
    }

    /** A minute of even seconds; in the stalls a fifth of the requests wait for half a second on average. */
    static ComparedRun stalling(String name, long seed, int... at) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Recording> seconds = new ArrayList<>();
        List<Recording> calm = new ArrayList<>();
        List<Incident> incidents = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            boolean stalls = IntStream.of(at).boxed().toList().contains(second);
            CorrectedRecorder recorder = new CorrectedRecorder();
            recorder.planned(RATE);
            for (int i = 0; i < RATE; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.completedAt = (long) (1e6 * (1 + random.nextDouble()))
                        + (stalls && i % 5 == 0 ? random.nextLong(1_000_000_000L) : 0);
                exchange.outcome = Outcome.answered();
                recorder.completed(exchange);
            }
            Recording recording = recorder.drain();
            seconds.add(recording);
            if (stalls) {
                incidents.add(new Incident(
                        second * 1_000_000_000L,
                        1_000_000_000L,
                        40,
                        1,
                        1_000_000_000L,
                        Incident.Cause.SERVICE_STALL,
                        0,
                        false,
                        false,
                        ""));
            } else {
                calm.add(recording);
            }
        }
        return withIncidents(name, seconds, incidents, calm);
    }

    static ComparedRun withIncidents(
            String name, List<Recording> seconds, List<Incident> incidents, List<Recording> calm) {
        return new ComparedRun(
                name,
                seconds,
                "open",
                OptionalDouble.of(RATE),
                List.of(),
                Optional.of(new ComparedRun.Calm(incidents, Optional.empty(), calm, calm)));
    }
}
