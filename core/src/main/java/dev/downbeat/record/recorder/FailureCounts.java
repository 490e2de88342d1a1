package dev.downbeat.record.recorder;

import dev.downbeat.exchange.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts per reason. Reasons are so few that a list is the fastest map. Single writer. */
final class FailureCounts {
    private final List<FailureCount> counts = new ArrayList<>();

    private static final class FailureCount {
        final Outcome outcome;
        long count;

        FailureCount(Outcome outcome) {
            this.outcome = outcome;
        }
    }

    void add(Outcome outcome) {
        for (int i = 0; i < counts.size(); i++) {
            if (counts.get(i).outcome.equals(outcome)) {
                counts.get(i).count++;
                return;
            }
        }
        FailureCount first = new FailureCount(outcome);
        first.count = 1;
        counts.add(first);
    }

    /** Returns and resets the counts. */
    Map<String, Long> drain() {
        Map<String, Long> counted = new LinkedHashMap<>();
        for (FailureCount failure : counts) {
            if (failure.count > 0) {
                counted.merge(failure.outcome.reason(), failure.count, Long::sum);
                failure.count = 0;
            }
        }
        return counted;
    }
}
