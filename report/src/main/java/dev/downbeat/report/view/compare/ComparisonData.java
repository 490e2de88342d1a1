package dev.downbeat.report.view.compare;

import dev.downbeat.compare.ComparedRow;
import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedSide;
import dev.downbeat.compare.Comparison;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.compare.Variants.Variant;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.ComparisonReport;
import dev.downbeat.report.data.ComparisonReport.VariantsReport;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.view.SharedData;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.report.view.SharedData.LedgerData;
import dev.downbeat.report.view.SharedData.ObjectiveData;
import dev.downbeat.report.view.SharedData.ReasonData;
import dev.downbeat.report.view.SharedData.TextData;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ShareChange;
import java.util.List;
import java.util.Set;

/** A comparison of two results. */
public record ComparisonData(
        @Key("") Head head,
        String load,
        String headline,
        @Key("") Found found,
        RequestChanges requests,
        Known<Double> tolerance,
        boolean acceptDoubts,
        String gate,
        Known<Double> couldHide,
        boolean ignoreStalls,
        int exitCode) {
    private static final String NO_RATE = "the runs have no single rate";
    private static final String TOO_LITTLE_DATA = "there is too little data";

    /** One side of the comparison. */
    record Side(
            String name,
            List<RunName> runs,
            long requests,
            long answered,
            long failed,
            long censored,
            Known<Double> intendedPerSecond,
            long maxNanos,
            boolean maxLowerBound) {
        static Side of(ComparedSide side) {
            Recording total = side.total();
            return new Side(
                    side.name(),
                    side.runs().stream()
                            .map(run -> new RunName(
                                    run.name(), run.stretches().size(), Known.of(run.ratePerSecond(), NO_RATE)))
                            .toList(),
                    ComparedRun.planned(total),
                    total.response().count(),
                    total.failed().count() + total.unbuilt(),
                    total.censored().count(),
                    Known.of(side.ratePerSecond(), NO_RATE),
                    total.responseAtLeast().maxNanos(),
                    !total.censored().isEmpty());
        }
    }

    /** One run of a side. */
    record RunName(String name, long stretches, Known<Double> intendedPerSecond) implements OneLine {}

    /** The change of one percentile, and what of it may not be the systems'. */
    record Change(
            String percentile,
            long baseNanos,
            boolean baseLowerBound,
            long otherNanos,
            boolean otherLowerBound,
            double change,
            Known<Double> low,
            Known<Double> high,
            Known<Double> atLeast,
            Known<Double> atMost,
            Known<Double> sameWithin,
            long baseForeignAtMostNanos,
            long otherForeignAtMostNanos,
            String answer)
            implements OneLine {
        static Change of(ComparedRow row) {
            return new Change(
                    Percentiles.name(row.percentile()),
                    row.baseNanos(),
                    row.baseIsLowerBound(),
                    row.otherNanos(),
                    row.otherIsLowerBound(),
                    row.change(),
                    Known.of(row.lowChange(), TOO_LITTLE_DATA),
                    Known.of(row.highChange(), TOO_LITTLE_DATA),
                    Known.of(row.atLeast(), TOO_LITTLE_DATA),
                    Known.of(row.atMost(), TOO_LITTLE_DATA),
                    Known.of(row.sameWithin(), "it is not the same, or not judged"),
                    row.foreign().baseNanos(),
                    row.foreign().otherNanos(),
                    row.answer().word());
        }
    }

    /** Stalls and pauses, compared apart from the other requests. */
    record IncidentChange(
            String sentence, long base, long other, String often, String lasting, List<Change> percentilesWithout) {}

    /** The shares of requests without a response. */
    record NotAnswered(double base, double other, double low, double high, boolean surelyMore) {
        static NotAnswered of(ShareChange change) {
            return new NotAnswered(change.base(), change.other(), change.low(), change.high(), change.isMore());
        }
    }

    /** The requests by name. A name that only one side has is not compared. */
    record RequestChanges(List<RequestChange> compared, List<String> onlyBase, List<String> onlyOther) {
        static RequestChanges of(ComparisonReport report) {
            Set<String> worse = report.worseNames().keySet();
            return new RequestChanges(
                    report.names().byName().entrySet().stream()
                            .map(one -> RequestChange.of(one.getKey(), one.getValue(), worse.contains(one.getKey())))
                            .toList(),
                    report.names().onlyBase(),
                    report.names().onlyOther());
        }
    }

    /** The change of the requests of one name. */
    record RequestChange(
            String name, String outcome, boolean worse, List<Change> percentiles, NotAnswered notAnswered) {
        static RequestChange of(String name, Comparison comparison, boolean worse) {
            return new RequestChange(
                    name,
                    comparison.outcome().word(),
                    worse,
                    comparison.deciding().stream().map(Change::of).toList(),
                    NotAnswered.of(comparison.failures()));
        }
    }

    /** The result of a comparison. */
    record Found(
            Side base,
            Side other,
            boolean inTurns,
            String outcome,
            String sentence,
            List<Change> percentiles,
            Known<IncidentChange> incidents,
            boolean betweenRunsUnknown,
            NotAnswered notAnswered,
            double cliffsDelta,
            List<TextData> doubts) {
        static Found of(Comparison comparison) {
            return new Found(
                    Side.of(comparison.base()),
                    Side.of(comparison.other()),
                    comparison.inTurns(),
                    comparison.outcome().word(),
                    ChangeText.sentence(comparison),
                    comparison.rows().stream().map(Change::of).toList(),
                    Known.of(
                            comparison
                                    .incidents()
                                    .map(apart -> new IncidentChange(
                                            apart.text(),
                                            apart.base().lengths().size(),
                                            apart.other().lengths().size(),
                                            apart.frequency().word(),
                                            apart.duration().word(),
                                            apart.rows().stream()
                                                    .map(Change::of)
                                                    .toList())),
                            "neither side had an incident"),
                    comparison.isBetweenRunsUnknown(),
                    NotAnswered.of(comparison.failures()),
                    comparison.effect(),
                    comparison.doubts().stream().map(ComparisonData::text).toList());
        }
    }

    /**
     * Variants of one run, compared with the first.
     *
     * @param exitCode of the command that measured them; null if a signal ended it
     */
    public record VariantsData(
            @Key("") Head head,
            String headline,
            String target,
            String load,
            long turns,
            List<VariantData> variants,
            List<Found> againstFirst,
            List<TextData> doubts,
            Known<Long> exitCode) {
        static VariantsData of(VariantsReport report, String headline) {
            boolean isCutShort = report.cutShort().isPresent();
            return new VariantsData(
                    Head.of("variants", report.version(), report.command()),
                    headline,
                    report.target(),
                    report.load(),
                    report.variants().turns(),
                    report.variants().variants().stream()
                            .map(variant -> VariantData.of(variant, isCutShort))
                            .toList(),
                    report.variants().againstFirst().stream().map(Found::of).toList(),
                    report.cutShort().stream().map(ComparisonData::text).toList(),
                    SharedData.exitCode(report.exitCode(), report.isEndedBySignal()));
        }
    }

    /** A percentile with its confidence interval. */
    record QuantileData(
            String percentile, @Key("ns") long value, boolean lowerBound, Known<Long> lowNanos, Known<Long> highNanos)
            implements OneLine {}

    /** One variant. */
    record VariantData(
            String name,
            boolean complete,
            long durationNanos,
            LedgerData ledger,
            List<QuantileData> percentiles,
            long maxNanos,
            boolean maxLowerBound,
            Known<Double> poolWaitShare,
            long connectionsOpened,
            List<ObjectiveData> objectives,
            String measurement,
            List<ReasonData> reasons) {
        static VariantData of(Variant variant, boolean isCutShort) {
            RunResult total = variant.total();
            return new VariantData(
                    variant.name(),
                    total.isComplete() && !isCutShort,
                    total.durationNanos(),
                    LedgerData.of(total.ledger()),
                    variant.quantiles().stream()
                            .map(each -> new QuantileData(
                                    Percentiles.name(each.percentile()),
                                    each.nanos(),
                                    each.isLowerBound(),
                                    Known.of(each.interval().map(range -> range.lowNanos()), TOO_LITTLE_DATA),
                                    Known.of(each.interval().map(range -> range.highNanos()), TOO_LITTLE_DATA)))
                            .toList(),
                    total.recording().responseAtLeast().maxNanos(),
                    !total.recording().censored().isEmpty(),
                    Known.of(variant.poolWaitShare(), "nothing was answered"),
                    total.connections().opened(),
                    ObjectiveData.of(variant.verdict().objectives()),
                    variant.verdict().measurement().word(),
                    ReasonData.of(variant.verdict().caveats(), variant.verdict().doubts()));
        }
    }

    private static TextData text(Incomparable doubt) {
        return new TextData(doubt.code(), doubt.text());
    }

    static ComparisonData of(ComparisonReport report, String headline) {
        return new ComparisonData(
                Head.of("comparison", report.version(), report.command()),
                report.load(),
                headline,
                Found.of(report.comparison()),
                RequestChanges.of(report),
                Known.of(report.tolerance(), "no decision was requested with --tolerance"),
                report.gate().question().acceptDoubts(),
                SharedData.lower(report.gate().decision()),
                Known.of(
                        report.gate().hiding().map(row -> row.atMost().orElse(0)),
                        "a larger change is ruled out, or its possible size is unknown"),
                report.comparison().ignoresStalls(),
                report.exitCode());
    }
}
