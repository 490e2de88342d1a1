package dev.downbeat.report.view.sweep;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.Capacity.Unmeasured;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.render.RecordJson.Key;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.report.view.SharedData;
import dev.downbeat.report.view.SharedData.Head;
import dev.downbeat.report.view.SharedData.ObjectiveData;
import dev.downbeat.report.view.TimesData;
import dev.downbeat.stats.Growth;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.ScalabilityLaw;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A search for the highest rate that meets the objectives. */
public record SweepData(
        @Key("") Head head,
        Known<String> seed,
        String target,
        String headline,
        long stepNanos,
        long settlingNanos,
        long budgetNanos,
        Sustainable sustainable,
        UnmeasuredData unmeasured,
        @Key("capacity") Saturation saturation,
        Scalability scalability,
        List<StepData> steps) {
    private static final String TOO_LITTLE = "there is too little data for it";

    /** The highest rate known to be sustainable. */
    record Sustainable(
            Known<Double> ratePerSecond,
            Known<Double> tooHighPerSecond,
            boolean confirmed,
            String limit,
            boolean cutShort,
            Known<String> clientLimit) {}

    /** The reason why the search ended early. */
    record UnmeasuredData(Known<Double> ratePerSecond, Known<String> reason) {}

    /** The rate at which queues begin to grow. */
    record Saturation(Known<Double> ratePerSecond, Known<Double> lowPerSecond, Known<Double> highPerSecond) {}

    /** The fit of the universal scalability law. */
    record Scalability(
            @Key("per_client_per_s") Known<Double> perClient,
            Known<Double> contention,
            Known<Double> coherence,
            Known<Double> bestClients) {}

    /** Two ends. */
    record Ends(Known<Long> lowNanos, Known<Long> highNanos) implements OneLine {}

    /** The requests of one name at one rate. */
    record Named(String name, SharedData.LedgerData ledger, TimesData.Row responseAtLeast) {
        static List<Named> of(Map<String, Recording> byName) {
            return byName.entrySet().stream()
                    .map(one -> new Named(
                            one.getKey(),
                            SharedData.LedgerData.of(one.getValue().ledger()),
                            TimesData.Row.of(one.getValue().responseAtLeast())))
                    .toList();
        }
    }

    /** The result at one rate. */
    record StepData(
            double ratePerSecond,
            String outcome,
            String reason,
            boolean confirmed,
            long measuredNanos,
            double answeredPerSecond,
            Known<Double> growthPerSecond,
            Known<Double> growthLowPerSecond,
            Known<Double> growthHighPerSecond,
            TimesData.Row responseAtLeast,
            @Key("") Map<String, Ends> intervals,
            List<ObjectiveData> objectives,
            List<Named> requests) {
        static StepData of(RateStep step) {
            String calm = "the growth of the queue was not estimated";
            Map<String, Ends> intervals = new LinkedHashMap<>();
            for (double percentile : RateStep.PERCENTILES) {
                Optional<QuantileInterval> interval = step.responseTime(percentile);
                intervals.put(
                        "p" + Math.round(percentile) + "_interval",
                        new Ends(SharedData.low(interval, TOO_LITTLE), SharedData.high(interval, TOO_LITTLE)));
            }
            return new StepData(
                    step.perSecond(),
                    SharedData.lower(step.outcome()),
                    step.reason(),
                    step.isConfirmed(),
                    step.measuredNanos(),
                    step.answeredPerSecond(),
                    orUnknown(step.growth().map(Growth::slope), calm),
                    orUnknown(step.growth().map(Growth::lowSlope), calm),
                    orUnknown(step.growth().map(Growth::highSlope), calm),
                    TimesData.Row.of(step.recording().responseAtLeast()),
                    intervals,
                    ObjectiveData.of(step.objectives()),
                    Named.of(step.recording().byName()));
        }
    }

    static SweepData of(SweepReport report, String headline) {
        Capacity capacity = report.capacity();
        Optional<Unmeasured> unmeasured = capacity.unmeasured();
        Optional<Growth.CapacityEstimate> saturation = capacity.saturation();
        Optional<ScalabilityLaw> law = capacity.scalability();
        String whole = "the search was not ended by its service";
        return new SweepData(
                Head.of("sweep", report.version(), report.command()),
                report.seed().isEmpty() ? Known.not("nothing is random") : Known.of(report.seed()),
                report.target(),
                headline,
                capacity.plan().stepNanos(),
                capacity.plan().settlingNanos(),
                capacity.plan().budgetNanos(),
                new Sustainable(
                        Known.of(capacity.sustainablePerSecond(), "no rate was proven sustainable"),
                        Known.of(capacity.tooHighPerSecond(), "no rate was shown to be too high"),
                        capacity.isConfirmed(),
                        SharedData.lower(capacity.limit()),
                        capacity.isCutShort(),
                        Known.of(capacity.clientLimit().map(RateStep::reason), "the client was not the limit")),
                new UnmeasuredData(
                        orUnknown(unmeasured.map(Unmeasured::perSecond), whole),
                        Known.of(unmeasured.map(Unmeasured::reason), whole)),
                new Saturation(
                        orUnknown(saturation.map(Growth.CapacityEstimate::perSecond), TOO_LITTLE),
                        orUnknown(saturation.map(Growth.CapacityEstimate::lowPerSecond), TOO_LITTLE),
                        orUnknown(saturation.map(Growth.CapacityEstimate::highPerSecond), TOO_LITTLE)),
                new Scalability(
                        orUnknown(law.map(ScalabilityLaw::perClient), TOO_LITTLE),
                        orUnknown(law.map(ScalabilityLaw::contention), TOO_LITTLE),
                        orUnknown(law.map(ScalabilityLaw::coherence), TOO_LITTLE),
                        orUnknown(law.map(ScalabilityLaw::bestClients), TOO_LITTLE)),
                capacity.steps().stream().map(StepData::of).toList());
    }

    private static Known<Double> orUnknown(Optional<Double> value, String otherwise) {
        return Known.of(value.map(OptionalDouble::of).orElse(OptionalDouble.empty()), otherwise);
    }
}
