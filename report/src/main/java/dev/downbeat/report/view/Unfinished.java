package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.KaplanMeier;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Estimates the percentiles if censored requests resembled the others (Kaplan and Meier), next to the bounds, which
 * hold in any case. Only for runs that ended with requests in flight. With timeouts or a stalled service the assumption
 * would be false.
 */
final class Unfinished {
    private Unfinished() {}

    /** One sentence; empty if all displayed percentiles are exact, or the assumption would be false. */
    static Optional<String> sentence(Analysis analysis) {
        RunResult result = analysis.result();
        Recording recording = result.recording();
        long inFlight = recording.ledger().inFlight();
        boolean stalled = analysis.events().stream()
                .anyMatch(incident -> incident.startNanos() + incident.lengthNanos() >= result.durationNanos());
        if (inFlight == 0 || inFlight != recording.censored().count() || stalled) {
            return Optional.empty();
        }
        ResponseBounds bounds = analysis.response();
        KaplanMeier estimate = KaplanMeier.of(recording.response(), recording.censored());
        List<String> parts = new ArrayList<>();
        for (double percentile : Percentiles.belowMax(Percentiles.Place.TABLE)) {
            if (bounds.carries(percentile) && !bounds.isKnownAt(percentile)) {
                estimate.valueAtPercentile(percentile)
                        .ifPresent(
                                nanos -> parts.add(Percentiles.name(percentile) + " " + DurationText.rounded(nanos)));
            }
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(String.join(", ", parts) + ", if the " + Numbers.count(inFlight)
                        + " requests in flight at the end were like the others (Kaplan-Meier)");
    }
}
