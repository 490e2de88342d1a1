package dev.downbeat.report.data;

import dev.downbeat.record.Recording;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.Slo;
import dev.downbeat.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeSet;

/** The rows of the table of percentiles: those of every report and those that an objective speaks of, if the data carry them. */
public final class PercentileTable {
    /** A response time of so many service times is worth a word. */
    public static final double NOTABLE = 1.5;

    private static final String NONE = "-";

    private final Recording recording;
    private final ResponseBounds bounds;
    private final ResponseBounds services;
    private final List<Objective> objectives;

    /** Whether our own delays are among the times: what they hide is then not the fault of other tools. */
    private final boolean oursToo;

    /**
     * One row, in words.
     *
     * @param percentile which it is of; empty for the mean
     * @param hidden how many times longer the response time is than the service time, where that is notable; or empty
     * @param ours how much of the response time may be ours, where that is a good part: {@code up to 1.20 ms of it ours}; or
     *     empty
     * @param objectives those on this row
     */
    public record Row(
            OptionalDouble percentile,
            String name,
            String response,
            String service,
            String hidden,
            String ours,
            List<Objective> objectives) {}

    public PercentileTable(RunReport report) {
        this.recording = report.result().recording();
        this.bounds = ResponseBounds.of(recording);
        this.services = ResponseBounds.ofService(recording);
        this.objectives = report.verdict().objectives();
        this.oursToo = isOursToo(report);
    }

    /** Whether our own delays are a good part of some of the times. */
    public static boolean isOursToo(RunReport report) {
        ResponseBounds bounds = ResponseBounds.of(report.result().recording());
        return report.verdict().measurement() == Verdict.Measurement.UNSOUND
                || PercentileName.SHOWN.stream()
                        .anyMatch(percentile -> bounds.carries(percentile) && bounds.isOurs(percentile));
    }

    public List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        if (bounds.count() == 0) {
            return rows;
        }
        if (!on("mean").isEmpty()) {
            rows.add(mean());
        }
        TreeSet<Double> percentiles = new TreeSet<>(PercentileName.SHOWN);
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
        return row(
                OptionalDouble.empty(),
                bounds.isExact(),
                bounds.atLeast().meanNanos(),
                recording.service().isEmpty()
                        ? NONE
                        : bound(services.isExact(), services.atLeast().meanNanos()),
                services.isExact() ? services.atLeast().meanNanos() : 0);
    }

    private Row row(double percentile) {
        boolean carried = ResponseBounds.carries(percentile, recording.service().count());
        long nanos = services.atLeastNanos(percentile);
        return row(
                OptionalDouble.of(percentile),
                bounds.isKnownAt(percentile),
                bounds.atLeastNanos(percentile),
                carried && nanos > 0 ? bound(services.isKnownAt(percentile), nanos) : NONE,
                carried && services.isKnownAt(percentile) ? nanos : 0);
    }

    /** The service time is 0 where it is not known: of what is only "at least" nobody knows how many times it is. */
    private Row row(OptionalDouble percentile, boolean known, long responseNanos, String service, long serviceNanos) {
        String name = percentile.isPresent() ? PercentileName.of(percentile.getAsDouble()) : "mean";
        boolean notable = !oursToo && serviceNanos > 0 && responseNanos >= NOTABLE * serviceNanos;
        boolean ours = percentile.isPresent() && bounds.isOurs(percentile.getAsDouble());
        return new Row(
                percentile,
                name,
                bound(known, responseNanos),
                service,
                notable ? (known ? "" : "≥") + Numbers.times((double) responseNanos / serviceNanos) : "",
                ours ? "up to " + DurationText.rounded(bounds.oursNanos(percentile.getAsDouble())) + " of it ours" : "",
                on(name));
    }

    private static String bound(boolean known, long nanos) {
        return (known ? "" : "≥ ") + DurationText.rounded(nanos);
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
