package dev.downbeat.audit;

import dev.downbeat.audit.Stalls.FoundStall;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Another tool's result, the bounds of what its callers waited, and findings about it. Immutable.
 *
 * @param name name of the file
 * @param tool the tool that wrote it
 * @param target the load's target; empty if unknown
 * @param count number of requests
 * @param lengthNanos from the first start to the last end; 0 if unknown
 * @param plan the reconstructed schedule; empty if the file has only a distribution of an open loop or of an unknown one
 * @param rows one for each percentile
 * @param stalls periods without any response
 * @param findings what to know about the numbers
 * @param verdict whether the printed numbers hide something
 * @param tolerance relative difference to ignore: 0.1 for 10 %
 */
public record AuditResult(
        String name,
        String tool,
        String target,
        long count,
        long lengthNanos,
        Optional<RecoveredPlan> plan,
        List<Row> rows,
        List<FoundStall> stalls,
        List<AuditFinding> findings,
        AuditVerdict verdict,
        double tolerance) {
    public AuditResult {
        name = SafeText.line(name);
        tool = SafeText.line(tool);
        target = SafeText.line(Redaction.line(target));
        rows = List.copyOf(rows);
        stalls = List.copyOf(stalls);
        findings = List.copyOf(findings);
    }

    /** Whether the printed numbers can be used. */
    public enum AuditVerdict {
        SOUND,
        HIDES,
        CANNOT_TELL;

        static AuditVerdict of(List<Row> rows, double tolerance) {
            if (rows.stream().noneMatch(Row::isJudged)) {
                return CANNOT_TELL;
            }
            if (rows.stream().anyMatch(row -> row.hides(tolerance))) {
                return HIDES;
            }
            return rows.stream().anyMatch(row -> row.mayHide(tolerance)) ? CANNOT_TELL : SOUND;
        }
    }

    /**
     * One percentile.
     *
     * @param percentile from 0 to 100
     * @param printedNanos the value the tool prints
     * @param atLeastNanos lower bound of what callers waited
     * @param atMostNanos upper bound; empty if unknown
     * @param isJudged whether there are enough requests to judge it
     * @param resolutionNanos by how much the file's rounding may have changed it; part of both bounds
     */
    public record Row(
            double percentile,
            long printedNanos,
            long atLeastNanos,
            OptionalLong atMostNanos,
            boolean isJudged,
            long resolutionNanos) {
        /** Whether callers certainly waited longer than printed. */
        public boolean hides(double tolerance) {
            return isJudged && atLeastNanos > printedNanos * (1 + tolerance);
        }

        /** Whether callers may have waited longer than printed, other than by rounding. */
        public boolean mayHide(double tolerance) {
            double longest = printedNanos + Math.max(tolerance * printedNanos, resolutionNanos);
            return isJudged && (atMostNanos.isEmpty() || atMostNanos.getAsLong() > longest);
        }

        /** Whether rounding alone may exceed the tolerance. */
        public boolean isRough(double tolerance) {
            return isJudged && resolutionNanos > tolerance * printedNanos;
        }
    }

    /** The percentile that hides the most; empty if none hides anything. */
    public Optional<Row> worst() {
        return rows.stream()
                .filter(row -> row.hides(tolerance))
                .max((one, other) -> Double.compare(factor(one), factor(other)));
    }

    private static double factor(Row row) {
        return (double) row.atLeastNanos() / Math.max(1, row.printedNanos());
    }
}
