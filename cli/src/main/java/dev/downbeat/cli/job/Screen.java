package dev.downbeat.cli.job;

import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions;
import dev.downbeat.run.Live;
import dev.downbeat.run.RunPlan;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.AskedObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;

/** The live screen of a run. Pure functions from numbers to lines. */
public final class Screen {
    /** Stands for the elapsed time while the start is not known. */
    static final long NOT_FIXED = Long.MIN_VALUE;

    private static final int MOST_LEFT_OUT = 4;
    private static final int ROOM_FOR_ALL = 60;
    private static final int NARROWEST = 42;
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final String ASCII_BARS = "_.:-=+*#";
    private static final int WIDEST_CHART = 60;
    private static final double LOWEST_BAR_NANOS = 1e6;
    private static final double DECADES = 3;

    private final Job job;
    private final RunPlan plan;
    private final Terminal terminal;

    public Screen(Job job, Terminal terminal) {
        this.job = job;
        this.plan = job.plan();
        this.terminal = terminal;
    }

    /**
     * The whole screen. No line is wider than the terminal, and there are fewer lines than it has, since scrolled lines
     * cannot be repainted.
     *
     * @param elapsedNanos since the start, negative before it, or {@link #NOT_FIXED}
     */
    public List<String> lines(long elapsedNanos, Live live, Counted.Snapshot seen) {
        List<String> lines = lines(0, elapsedNanos, live, seen);
        for (int leftOut = 1; leftOut <= MOST_LEFT_OUT && lines.size() >= terminal.rows(); leftOut++) {
            lines = lines(leftOut, elapsedNanos, live, seen);
        }
        return lines.stream().limit(terminal.rows() - 1L).map(this::cut).toList();
    }

    /** The screen without the first {@code leftOut} of: the chart, blank lines, Downbeat's state, the target. */
    private List<String> lines(int leftOut, long elapsedNanos, Live live, Counted.Snapshot seen) {
        List<String> lines = new ArrayList<>();
        if (leftOut < MOST_LEFT_OUT) {
            lines.add("downbeat run   " + job.target().describe());
        }
        String load = PlanText.load(plan) + connections() + (job.seed().isEmpty() ? "" : ", seed " + job.seed());
        lines.addAll(ends(load, progress(elapsedNanos, live)));
        lines.add("");
        if (leftOut < 3) {
            lines.addAll(flow("  ", sender(live, seen), ", "));
        }
        lines.addAll(flow(
                "  ",
                List.of(
                        PlanText.format("done %,d%s", done(seen), rate(seen)),
                        PlanText.format("failed %,d", bad(seen)),
                        PlanText.format("in flight %,d", live.inFlight()),
                        PlanText.format("waiting %,d", live.backlog())),
                "   "));
        if (isStalled(live)) {
            lines.add("  no answer for " + DurationText.rounded(live.silentNanos()));
        }
        lines.add("");
        lines.addAll(table(seen, isStalled(live) ? least() : ""));
        if (leftOut < 1) {
            lines.addAll(chart(seen));
        }
        lines.removeIf(line -> leftOut > 1 && line.isEmpty());
        return lines;
    }

    /** One line, for terminals that cannot be repainted. */
    public String line(long elapsedNanos, Live live, Counted.Snapshot seen) {
        Distribution response = seen.total().responseAtLeast();
        String least = isStalled(live) ? least() + " " : "";
        String times = response.isEmpty()
                ? ""
                : ", p50 " + least + time(response, 50) + ", p99 " + least + time(response, 99) + ", max " + least
                        + time(response, 100);
        return progress(elapsedNanos, live)
                + PlanText.format(
                        "   done %,d%s, failed %,d, waiting %,d, in flight %,d",
                        done(seen), rate(seen), bad(seen), live.backlog(), live.inFlight())
                + times
                + (isStalled(live) ? ", no answer for " + DurationText.rounded(live.silentNanos()) : "");
    }

    private String least() {
        return terminal.isUnicode() ? "≥" : ">=";
    }

    /** The progress of the run. */
    private String progress(long elapsedNanos, Live live) {
        if (elapsedNanos == NOT_FIXED) {
            return plan.warmUpNanos() != 0 ? "warming up" : "connecting";
        }
        if (elapsedNanos < 0) {
            return "begins in " + PlanText.seconds(-elapsedNanos);
        }
        return isDraining(elapsedNanos)
                ? PlanText.format("waiting for %,d more", live.inFlight() + live.backlog())
                : PlanText.progress(plan, elapsedNanos, live.taken());
    }

    /** Whether requests are waiting that no percentile contains yet. */
    private static boolean isStalled(Live live) {
        return live.silentNanos() >= Interruptions.LEAST_NANOS;
    }

    /** The rate of the last whole second. */
    private static String rate(Counted.Snapshot seen) {
        return seen.lastNanos() == 0
                ? ""
                : PlanText.format(" (%,d/s at %.1f s)", perSecond(seen), seen.lastEndNanos() / 1e9);
    }

    private String connections() {
        return job.details().get("connections") instanceof Integer count
                ? PlanText.format(", %,d connections", count)
                : "";
    }

    private boolean isDraining(long elapsedNanos) {
        return elapsedNanos > plan.durationNanos();
    }

    private List<String> ends(String left, String right) {
        int gap = terminal.columns() - 1 - left.length() - right.length();
        if (gap >= 3) {
            return List.of(left + " ".repeat(gap) + right);
        }
        List<String> lines = flow("", List.of(left.split(", ")), ", ");
        lines.add(right);
        return lines;
    }

    /** Wraps unbreakable pieces to as many lines as they need. */
    private List<String> flow(String indent, List<String> pieces, String between) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(indent);
        for (String piece : pieces) {
            boolean begins = line.length() == indent.length();
            if (!begins && line.length() + between.length() + piece.length() >= terminal.columns()) {
                lines.add(line.append(between).toString().stripTrailing());
                line = new StringBuilder(indent);
                begins = true;
            }
            line.append(begins ? "" : between).append(piece);
        }
        lines.add(line.toString());
        return lines;
    }

    private static List<String> sender(Live live, Counted.Snapshot seen) {
        long worst = Math.max(seen.worstBehindNanos(), live.behindNanos());
        String word = worst < 10_000_000 ? "on time: " : "LATE: ";
        return List.of(word + "late by " + millis(live.behindNanos()) + " now", millis(worst) + " at worst");
    }

    private static String millis(long nanos) {
        return PlanText.format("%,.2f ms", Math.max(0, nanos) / 1e6);
    }

    private static long done(Counted.Snapshot seen) {
        return seen.total().ledger().answered() + seen.total().ledger().failed();
    }

    private static long bad(Counted.Snapshot seen) {
        return seen.total().ledger().failed() + seen.total().ledger().timedOut();
    }

    private static long perSecond(Counted.Snapshot seen) {
        long ended = seen.last().ledger().answered() + seen.last().ledger().failed();
        return seen.lastNanos() == 0 ? 0 : Math.round(ended * 1e9 / seen.lastNanos());
    }

    private List<String> table(Counted.Snapshot seen, String least) {
        List<String> lines = new ArrayList<>();
        StringBuilder names = new StringBuilder(" ".repeat(13));
        for (double percentile : percentiles()) {
            names.append(padded(Percentiles.name(percentile)));
        }
        lines.add(names.toString());
        lines.add(row("last second", seen.last().responseAtLeast(), ""));
        String whole = row("whole run", seen.total().responseAtLeast(), least);
        String standing = objectives(seen);
        boolean fits = whole.length() + standing.length() < terminal.columns();
        lines.add(fits ? whole + standing : whole);
        lines.add(row("service", seen.total().service(), ""));
        if (!fits) {
            lines.add(standing);
        }
        return lines;
    }

    private List<Double> percentiles() {
        return terminal.columns() < ROOM_FOR_ALL
                ? Percentiles.of(Percentiles.Place.BRIEF)
                : Percentiles.of(Percentiles.Place.LIVE);
    }

    private String padded(String text) {
        return PlanText.format(terminal.columns() < NARROWEST ? "%8s" : "%9s", text);
    }

    /** A row of times. During a stall, waiting requests will be longer than those counted so far. */
    private String row(String name, Distribution distribution, String least) {
        StringBuilder row = new StringBuilder(PlanText.format("  %-11s", name));
        for (double percentile : percentiles()) {
            String time = time(distribution, percentile);
            row.append(padded(distribution.isEmpty() ? time : least + time));
        }
        return row.toString();
    }

    private static String time(Distribution distribution, double percentile) {
        return !ResponseBounds.carries(percentile, distribution.count())
                ? "-"
                : DurationText.rounded(distribution.valueAtPercentile(percentile));
    }

    /**
     * The current state of the first objective on a percentile. Later seconds may change it, so nothing is judged
     * before the end.
     */
    private String objectives(Counted.Snapshot seen) {
        Distribution response = seen.total().responseAtLeast();
        for (AskedObjective slo : job.slos()) {
            if (slo instanceof AskedObjective.Percentile percentile && !response.isEmpty()) {
                return "  " + percentile.text() + standing(percentile, response);
            }
        }
        return "";
    }

    private static String standing(AskedObjective.Percentile objective, Distribution response) {
        long value = response.valueAtPercentile(objective.percentile());
        int order = Long.compare(value, objective.limitNanos());
        if (objective.ceiling().inclusive() ? order > 0 : order >= 0) {
            return ": above it so far";
        }
        return ResponseBounds.carries(objective.percentile(), response.count()) ? ": below it so far" : "";
    }

    private List<String> chart(Counted.Snapshot seen) {
        List<Long> maxima = seen.maxima();
        if (maxima.isEmpty()) {
            return List.of();
        }
        int width = Math.min(WIDEST_CHART, terminal.columns() - 4);
        List<Long> shown = maxima.subList(Math.max(0, maxima.size() - width), maxima.size());
        StringBuilder bars = new StringBuilder("  ");
        String scale = terminal.isUnicode() ? BARS : ASCII_BARS;
        for (long nanos : shown) {
            bars.append(nanos == 0 ? ' ' : scale.charAt(height(nanos)));
        }
        long worst = maxima.stream().mapToLong(Long::longValue).max().orElse(0);
        String note = PlanText.format("%s at %d s", DurationText.rounded(worst), maxima.indexOf(worst));
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(flow("  ", List.of("worst per second: " + note, "(1 ms to 1 s, logarithmic)"), " "));
        lines.add(bars.toString());
        return lines;
    }

    private static int height(long nanos) {
        double share = Math.log10(Math.max(1, nanos / LOWEST_BAR_NANOS)) / DECADES;
        return (int) Math.min(BARS.length() - 1, Math.floor(share * BARS.length()));
    }

    private String cut(String line) {
        int widest = terminal.columns() - 1;
        return line.length() <= widest ? line : line.substring(0, widest);
    }
}
