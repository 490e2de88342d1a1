package dev.downbeat.compare;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One build of a service in its history, with its runs.
 *
 * @param name as a reader may call it, such as a commit
 * @param started when the first of its runs began; empty if that is not known
 * @param runs at least one
 */
public record Build(String name, Optional<Instant> started, List<ComparedRun> runs) {
    /** Copies the list; refuses none. */
    public Build {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("runs must be at least 1, but was 0");
        }
    }

    /** As one side of a comparison. */
    public ComparedSide side() {
        return new ComparedSide(name, runs);
    }
}
