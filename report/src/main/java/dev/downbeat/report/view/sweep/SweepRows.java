package dev.downbeat.report.view.sweep;

import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import java.util.Locale;

/** The table of a search as it grows; a rate has several rows if it was measured several times. */
public final class SweepRows {
    private SweepRows() {}

    /** The head of the table. */
    public static String head() {
        return String.format(Locale.ROOT, "%9s %8s %9s %9s %9s", "rate/s", "done/s", "p50", "p99", "max");
    }

    /** One row of the table. */
    public static String row(RateStep step) {
        Distribution times = step.recording().responseAtLeast();
        return String.format(
                Locale.ROOT,
                "%9s %8s %9s %9s %9s  %-9s",
                number(step.perSecond()),
                number(step.answeredPerSecond()),
                Numbers.time(times, 50),
                Numbers.time(times, 99),
                Numbers.time(times, 100),
                step.outcome().word());
    }

    /** A rate without a unit, which the head contains. */
    public static String number(double perSecond) {
        return Numbers.rate(perSecond).replace("/s", "");
    }
}
