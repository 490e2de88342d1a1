package dev.downbeat.report.data;

import dev.downbeat.audit.Audited;
import dev.downbeat.audit.Audited.Verdict;
import java.util.List;

/**
 * The audit of other tools' results. Immutable.
 *
 * @param results one for each distribution of each file; at least one
 * @param command command line, one word each
 * @param version Downbeat's version
 */
public record AuditReport(List<Audited> results, List<String> command, String version) {
    public AuditReport {
        results = List.copyOf(results);
        command = List.copyOf(command);
        if (results.isEmpty()) {
            throw new IllegalArgumentException("there must be a result");
        }
    }

    /** The overall verdict. A single result that hides something, or cannot be judged, decides. */
    public Verdict verdict() {
        for (Verdict verdict : List.of(Verdict.HIDES, Verdict.UNKNOWN)) {
            if (results.stream().anyMatch(result -> result.verdict() == verdict)) {
                return verdict;
            }
        }
        return Verdict.SOUND;
    }
}
