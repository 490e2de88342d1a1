package dev.downbeat.report.data;

import dev.downbeat.audit.Audited;
import dev.downbeat.audit.Audited.Verdict;
import java.util.List;

/**
 * What was found in results of other tools. Immutable.
 *
 * @param results one for each distribution of each file; at least one
 * @param command the command line, one word each
 * @param version of Downbeat
 */
public record AuditReport(List<Audited> results, List<String> command, String version) {
    public AuditReport {
        results = List.copyOf(results);
        command = List.copyOf(command);
        if (results.isEmpty()) {
            throw new IllegalArgumentException("there must be a result");
        }
    }

    /** That of all of them: one that hides something is enough, and one that cannot be judged. */
    public Verdict verdict() {
        for (Verdict verdict : List.of(Verdict.HIDES, Verdict.UNKNOWN)) {
            if (results.stream().anyMatch(result -> result.verdict() == verdict)) {
                return verdict;
            }
        }
        return Verdict.SOUND;
    }
}
