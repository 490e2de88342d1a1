package dev.downbeat.run;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.selfcheck.GeneratorHealth;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of serial runs.
 *
 * @param plan what was planned
 * @param target description of the target
 * @param started start of the first counted run
 * @param durationNanos from then to the end of the last run
 * @param usualRunNanos duration of a warm-up run, over which starts were spread
 * @param runs the requests of each run, in order; must not be modified
 * @param connections connection counts of these runs
 * @param counts other counts of the target
 * @param failures requests without a response, by reason
 * @param complete whether all runs finished
 * @param health the condition of this process
 * @param names indexed by {@link Exchange#name}; empty if requests are alike
 */
public record SerialResult(
        SerialPlan plan,
        String target,
        Instant started,
        long durationNanos,
        long usualRunNanos,
        List<List<Exchange>> runs,
        ConnectionCounts connections,
        TargetCounts counts,
        SortedMap<String, Long> failures,
        boolean complete,
        GeneratorHealth health,
        List<String> names) {
    public SerialResult {
        target = SafeText.line(Redaction.line(target));
        runs = runs.stream().map(List::copyOf).toList();
        failures = Collections.unmodifiableSortedMap(new TreeMap<>(failures));
        names = List.copyOf(names);
    }
}
