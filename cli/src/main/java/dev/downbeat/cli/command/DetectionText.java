package dev.downbeat.cli.command;

import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.compare.Detection;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.QuantileChange.RunsNeeded;
import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.concurrent.TimeUnit;

/** States how many runs a comparison needs. */
final class DetectionText {
    private DetectionText() {}

    static String of(Detection detection, String pilot) {
        StringBuilder text = new StringBuilder(PlanText.format(
                "To show +%s %% in four of five comparisons, with runs like %s (%s):%n",
                new BigDecimal(100 * detection.change())
                        .round(new MathContext(6))
                        .stripTrailingZeros()
                        .toPlainString(),
                pilot,
                duration(detection.pilotSeconds())));
        if (detection.rows().isEmpty()) {
            text.append(PlanText.format("  it has too few requests for a percentile%n"));
        }
        for (Detection.Row row : detection.rows()) {
            text.append(PlanText.format("  %-4s %s%n", Percentiles.name(row.percentile()), plan(detection, row)));
        }
        return text.append(
                        PlanText.format(
                                "This takes runs of one service to differ by 3 %%, and what moves within the pilot to be all that moves.%n"))
                .toString();
    }

    private static String plan(Detection detection, Detection.Row row) {
        return row.shortest()
                .map(plan -> PlanText.format(
                        "%d %s of %s a side (%s in all)",
                        plan.runs(),
                        plan.runs() == 1 ? "run" : "runs",
                        duration(plan.seconds()),
                        duration(plan.secondsInAll())))
                .orElseGet(() -> row.neededSeconds() > detection.pilotSeconds()
                        ? PlanText.format(
                                "cannot be planned: the pilot has no interval there, one of %s should have",
                                duration(row.neededSeconds()))
                        : PlanText.format("more than %d runs of 10 min a side", RunsNeeded.MOST));
    }

    private static String duration(long seconds) {
        return DurationText.format(TimeUnit.SECONDS.toNanos(seconds));
    }
}
