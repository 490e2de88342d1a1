package dev.downbeat.audit;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * What another tool's result says, what callers waited, and what speaks against it. Immutable, but for the histograms.
 *
 * @param name of the file
 * @param tool that wrote it
 * @param target what was asked; empty if it is not known
 * @param count of requests
 * @param lengthNanos from the first start to the last end; 0 if it is not known
 * @param plan when requests were meant to start; empty if there is a distribution only
 * @param rows a percentile each
 * @param stalls times in which nobody was answered
 * @param findings what to know about the numbers
 * @param verdict whether the printed numbers hide something
 * @param tolerance how much more than printed is none: 0.1 for 10 %
 * @param atLeast the distribution of the lower bounds; empty if there is a distribution only
 * @param atMost that of the upper bounds
 */
public record Audited(
        String name,
        String tool,
        String target,
        long count,
        long lengthNanos,
        Optional<RecoveredPlan> plan,
        List<Row> rows,
        List<FoundStall> stalls,
        List<AuditFinding> findings,
        Verdict verdict,
        double tolerance,
        Optional<Histogram> atLeast,
        Optional<Histogram> atMost) {
    public Audited {
        rows = List.copyOf(rows);
        stalls = List.copyOf(stalls);
        findings = List.copyOf(findings);
    }

    /** Whether printed numbers may be used. */
    public enum Verdict {
        SOUND("sound"),
        HIDES("hides"),
        UNKNOWN("cannot tell");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        static Verdict of(List<Row> rows, double tolerance) {
            if (rows.stream().noneMatch(Row::isJudged)) {
                return UNKNOWN;
            }
            if (rows.stream().anyMatch(row -> row.hides(tolerance))) {
                return HIDES;
            }
            return rows.stream().anyMatch(row -> row.mayHide(tolerance)) ? UNKNOWN : SOUND;
        }

        /** As users read it. */
        public String words() {
            return words;
        }
    }

    /**
     * A percentile.
     *
     * @param percentile from 0 to 100
     * @param printedNanos what the tool prints
     * @param atLeastNanos what callers waited at least
     * @param atMostNanos and at most; empty if that cannot be said
     * @param isJudged whether there are enough requests for it
     */
    public record Row(
            double percentile, long printedNanos, long atLeastNanos, OptionalLong atMostNanos, boolean isJudged) {
        /** Whether callers waited longer than printed, for certain. */
        public boolean hides(double tolerance) {
            return isJudged && atLeastNanos > printedNanos * (1 + tolerance);
        }

        /** Whether they may have. */
        public boolean mayHide(double tolerance) {
            return isJudged && (atMostNanos.isEmpty() || atMostNanos.getAsLong() > printedNanos * (1 + tolerance));
        }
    }

    /** The percentile that hides most; empty if none does. */
    public Optional<Row> worst() {
        return rows.stream()
                .filter(row -> row.hides(tolerance))
                .max((one, other) -> Double.compare(factor(one), factor(other)));
    }

    private static double factor(Row row) {
        return (double) row.atLeastNanos() / Math.max(1, row.printedNanos());
    }
}
