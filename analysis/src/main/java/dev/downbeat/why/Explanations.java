package dev.downbeat.why;

import dev.downbeat.run.RunResult;
import java.util.List;
import java.util.Optional;

/**
 * Why requests of a run were slow.
 *
 * @param tail all beyond p99; empty if nothing was watched
 * @param incidents each incident of the run, in the order of {@code Incidents.of}; empty if nothing was watched
 */
public record Explanations(Optional<Explanation> tail, List<Explanation> incidents) {
    /** Nothing was watched. */
    public static final Explanations NONE = new Explanations(Optional.empty(), List.of());

    /** Copies the list. */
    public Explanations {
        incidents = List.copyOf(incidents);
    }

    /** What follows from what was seen of the service during the run. */
    public static Explanations of(RunResult result, List<Watched> watched) {
        Explaining explaining = new Explaining(result, watched);
        return explaining.isPossible() ? new Explanations(explaining.tail(), explaining.incidents()) : NONE;
    }
}
