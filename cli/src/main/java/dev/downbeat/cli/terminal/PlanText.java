package dev.downbeat.cli.terminal;

import dev.downbeat.run.RunPlan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import java.util.Locale;

/** A plan in words, for the top of a screen. */
public final class PlanText {
    private PlanText() {}

    /** Such as {@code open loop, Poisson 2,000/s}. */
    public static String load(RunPlan plan) {
        Workload workload = plan.workload();
        if (workload instanceof Workload.Open open) {
            return "open loop, " + open.arrivals().describe();
        }
        if (workload instanceof Workload.Closed closed) {
            return "closed loop, " + Numbers.count(closed.clients(), "virtual user") + think(closed.think());
        }
        Workload.PartlyOpen partly = (Workload.PartlyOpen) workload;
        return "sessions of " + Numbers.count(partly.requests(), "request") + ", "
                + partly.sessions().describe()
                + think(partly.think());
    }

    private static String think(ThinkTime think) {
        return think.meanNanos() == 0
                ? ""
                : ", think " + (think.kind().equals("exponential") ? "exp " : "")
                        + DurationText.format(think.meanNanos());
    }

    /** A run's progress: {@code 14.0 s of 60 s   23 %}, or by count. */
    public static String progress(RunPlan plan, long elapsedNanos, long taken) {
        if (plan.durationNanos() != Long.MAX_VALUE) {
            long percent = Math.min(100, elapsedNanos * 100 / plan.durationNanos());
            return Numbers.seconds(Math.min(elapsedNanos, plan.durationNanos())) + " of "
                    + DurationText.format(plan.durationNanos()) + format("   %d %%", percent);
        }
        return format("%,d of %,d   %d %%", taken, plan.maxRequests(), Math.min(100, taken * 100 / plan.maxRequests()));
    }

    public static String format(String format, Object... args) {
        return String.format(Locale.ROOT, format, args);
    }
}
