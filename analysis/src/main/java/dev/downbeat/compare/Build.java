package dev.downbeat.compare;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One build in a service's history, with its runs.
 *
 * @param name a name for readers, such as a commit
 * @param started start of its first run; empty if unknown
 * @param runs at least one run
 */
public record Build(String name, Optional<Instant> started, List<ComparedRun> runs) {
    public Build {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("runs must be at least 1, but was 0");
        }
    }

    /** The build as one side of a comparison. */
    public ComparedSide side() {
        return new ComparedSide(name, runs);
    }
}
