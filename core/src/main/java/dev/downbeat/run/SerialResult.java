package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What serial runs have seen.
 *
 * @param plan what was meant to happen
 * @param target what was aimed at
 * @param started when the first counted run began
 * @param durationNanos from then to the end of the last
 * @param usualRunNanos how long a run of the warm-up took, over which starts were spread
 * @param runs the requests of each run in their order; not to be written to
 * @param connections what happened to the connections of these runs
 * @param failures requests without an answer, by reason
 * @param complete whether all runs came to their end
 * @param health what this process went through meanwhile
 * @param names that {@link Exchange#name} is a place of; empty if requests are alike
 */
public record SerialResult(
        SerialPlan plan,
        String target,
        Instant started,
        long durationNanos,
        long usualRunNanos,
        List<List<Exchange>> runs,
        ConnectionCounts connections,
        SortedMap<String, Long> failures,
        boolean complete,
        GeneratorHealth health,
        List<String> names) {
    /** Copies the collections, and hides what is secret in the target. */
    public SerialResult {
        target = Plain.line(Redaction.line(target));
        runs = runs.stream().map(List::copyOf).toList();
        failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
        names = List.copyOf(names);
    }
}
