package dev.downbeat.report.data;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.OwnDelay;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.Slo;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** The rows of the table of percentiles: those of every report and those that an objective speaks of, if the data carry them. */
public final class PercentileTable {
    private static final List<Double> SHOWN = List.of(50.0, 90.0, 99.0, 99.9, 99.99, 100.0);

    /** A response time of so many service times is worth a word. */
    public static final double NOTABLE = 1.5;

    private static final String NONE = "-";

    private final Recording recording;
    private final ResponseBounds bounds;
    private final List<Objective> objectives;

    /** Whether our own delays are among the times: what they hide is then not the fault of other tools. */
    private final boolean oursToo;

    /**
     * One row, in words.
     *
     * @param percentile which it is of; empty for the mean
     * @param hidden how many times longer the response time is than the service time, where that is notable; or empty
     * @param objectives those on this row
     */
    public record Row(
            OptionalDouble percentile,
            String name,
            String response,
            String service,
            String hidden,
            List<Objective> objectives) {}

    public PercentileTable(RunReport report) {
        this.recording = report.result().recording();
        this.bounds = ResponseBounds.of(recording);
        this.objectives = report.verdict().objectives();
        this.oursToo = isOursToo(report);
    }

    /** Whether our own delays are a good part of the times. */
    public static boolean isOursToo(RunReport report) {
        return report.verdict().caveats().stream().anyMatch(PercentileTable::blamesUs);
    }

    private static boolean blamesUs(Caveat caveat) {
        return caveat.isDoubt()
                && (caveat instanceof OwnDelay.GeneratorLate
                        || caveat instanceof OwnDelay.HiccupDuringRun
                        || caveat instanceof OwnDelay.ClientBusy);
    }

    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        if (bounds.count() == 0) {
            return rows;
        }
        if (!on("mean").isEmpty()) {
            rows.add(mean());
        }
        TreeSet<Double> percentiles = new TreeSet<>(SHOWN);
        for (Objective objective : objectives) {
            if (objective.slo() instanceof Slo.Percentile slo) {
                percentiles.add(slo.percentile());
            }
        }
        for (double percentile : percentiles) {
            if (bounds.carries(percentile)) {
                rows.add(row(percentile));
            }
        }
        return rows;
    }

    private Row mean() {
        Distribution service = recording.service();
        long nanos = service.meanNanos();
        return row(
                OptionalDouble.empty(), bounds.isExact(), bounds.atLeast().meanNanos(), service.isEmpty() ? -1 : nanos);
    }

    private Row row(double percentile) {
        Distribution service = recording.service();
        boolean carried = ResponseBounds.carries(percentile, service.count());
        return row(
                OptionalDouble.of(percentile),
                bounds.isKnownAt(percentile),
                bounds.atLeastNanos(percentile),
                carried ? service.valueAtPercentile(percentile) : -1);
    }

    /** A service time of -1 is one that the data do not carry. */
    private Row row(OptionalDouble percentile, boolean known, long responseNanos, long serviceNanos) {
        String name = percentile.isPresent() ? PercentileName.of(percentile.getAsDouble()) : "mean";
        boolean notable = !oursToo && serviceNanos > 0 && responseNanos >= NOTABLE * serviceNanos;
        String bound = known ? "" : "≥ ";
        return new Row(
                percentile,
                name,
                bound + DurationText.rounded(responseNanos),
                serviceNanos < 0 ? NONE : DurationText.rounded(serviceNanos),
                notable ? (known ? "" : "≥") + Numbers.times((double) responseNanos / serviceNanos) : "",
                on(name));
    }

    private List<Objective> on(String subject) {
        return objectives.stream()
                .filter(objective -> objective.slo().subject().equals(subject))
                .toList();
    }

    /** Over which requests the percentiles are taken, and which are not among them. */
    public String population() {
        long censored = recording.censored().count();
        long failed = recording.ledger().failed();
        String text = "over " + Numbers.count(bounds.count()) + " requests";
        if (censored > 0) {
            text += ": " + Numbers.count(recording.response().count()) + " answered, " + Numbers.count(censored)
                    + " not seen to end (≥: at least)";
        }
        return failed == 0
                ? text
                : text + "; " + Numbers.count(failed) + (failed == 1 ? " failed one is" : " failed ones are")
                        + " not among them";
    }
}
