package dev.downbeat.why;

import dev.downbeat.event.Incident;
import dev.downbeat.run.RunResult;
import java.util.List;

/** Explains why requests of a run were slow, by what its watchers saw. Pure functions, thread-safe. */
public final class Explanations {
    private Explanations() {}

    /**
     * Explains the requests beyond p99 (a higher percentile in long runs), then each event, then the tail outside of
     * events. Empty if nothing was watched or no requests were kept.
     *
     * @param watched what each watcher saw
     * @param events notable events of the run
     */
    public static List<Explanation> of(RunResult result, List<Watched> watched, List<Incident> events) {
        Explaining explaining = new Explaining(result, watched, events);
        return explaining.isPossible() ? explaining.all() : List.of();
    }
}
