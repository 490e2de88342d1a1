package dev.downbeat.report.view.audit;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.Audited;
import dev.downbeat.audit.RecoveredPlan;
import dev.downbeat.report.data.AuditReport;
import dev.downbeat.report.paper.Key;
import dev.downbeat.report.paper.Known;
import dev.downbeat.report.paper.OneLine;
import dev.downbeat.report.view.Head;
import java.util.List;

/** An audit of another tool's results. */
public record AuditData(@Key("") Head head, String headline, String verdict, List<ResultData> results) {
    private static final String NO_PLAN = "the file has a distribution only";

    static AuditData of(AuditReport report, String headline) {
        return new AuditData(
                Head.of("audit", report.version(), report.command()),
                headline,
                code(report.verdict()),
                report.results().stream().map(ResultData::of).toList());
    }

    private static String code(Audited.Verdict verdict) {
        return verdict.words().replace(' ', '_');
    }

    /** One audited result. */
    record ResultData(
            String name,
            String tool,
            String target,
            String verdict,
            double tolerance,
            long requests,
            long durationNanos,
            Known<PlanData> plan,
            List<RowData> percentiles,
            List<StallData> stalls,
            List<FindingData> findings,
            String measure) {
        static ResultData of(Audited result) {
            return new ResultData(
                    result.name(),
                    result.tool(),
                    result.target(),
                    code(result.verdict()),
                    result.tolerance(),
                    result.count(),
                    result.lengthNanos(),
                    Known.of(result.plan().map(PlanData::of), NO_PLAN),
                    result.rows().stream()
                            .map(row -> RowData.of(row, result.tolerance()))
                            .toList(),
                    result.stalls().stream()
                            .map(stall -> new StallData(
                                    stall.fromNanos(),
                                    stall.untilNanos(),
                                    stall.stuck(),
                                    stall.starts(),
                                    stall.isCoordinated() ? stall.omitted() : 0,
                                    stall.isCertain()))
                            .toList(),
                    result.findings().stream().map(FindingData::of).toList(),
                    new AuditText(result).measure());
        }
    }

    /** The load as reconstructed from the result. */
    record PlanData(String kind, String certainty, String text, double perSecond, Known<Long> users)
            implements OneLine {
        static PlanData of(RecoveredPlan plan) {
            return new PlanData(
                    plan.kind().words(),
                    plan.certainty().words(),
                    plan.text(),
                    plan.perSecond(),
                    Known.of(plan.users(), "the file does not name the users"));
        }
    }

    /** A percentile as printed by the tool, with bounds of the true value. */
    record RowData(
            double percentile,
            long printedNanos,
            long atLeastNanos,
            Known<Long> atMostNanos,
            boolean judged,
            boolean hides)
            implements OneLine {
        static RowData of(Audited.Row row, double tolerance) {
            return new RowData(
                    row.percentile(),
                    row.printedNanos(),
                    row.atLeastNanos(),
                    Known.of(row.atMostNanos(), "the file has no maximum"),
                    row.isJudged(),
                    row.hides(tolerance));
        }
    }

    /** A time without responses. */
    record StallData(long fromNanos, long untilNanos, long inFlight, long started, long omitted, boolean certain)
            implements OneLine {}

    /** A remark on the audited result. */
    record FindingData(String code, String place, String text, boolean weighty) implements OneLine {
        static FindingData of(AuditFinding finding) {
            return new FindingData(finding.code(), finding.place(), finding.text(), finding.isWeighty());
        }
    }
}
