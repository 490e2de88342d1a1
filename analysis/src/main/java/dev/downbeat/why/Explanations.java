package dev.downbeat.why;

import dev.downbeat.event.Incident;
import dev.downbeat.run.RunResult;
import java.util.List;

/** Why requests of a run were slow, as far as its watchers tell. Pure functions, thread-safe. */
public final class Explanations {
    private Explanations() {}

    /**
     * What follows from what was seen of the service during the run: first of all requests beyond p99 (of very many, beyond a
     * higher percentile), then of each event, then of what of the tail none has hit. Empty if nothing was seen, or no requests were kept.
     *
     * @param watched what each watcher saw
     * @param events what stands out of the run
     */
    public static List<Explanation> of(RunResult result, List<Watched> watched, List<Incident> events) {
        Explaining explaining = new Explaining(result, watched, events);
        return explaining.isPossible() ? explaining.all() : List.of();
    }
}
