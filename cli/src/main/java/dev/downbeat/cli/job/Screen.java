package dev.downbeat.cli.job;

import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Terminal;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Recording;
import dev.downbeat.report.render.TerminalColours;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The live screen of a run. Pure functions from numbers to lines. */
public final class Screen {
    private static final int MOST_LEFT_OUT = 5;
    private static final int FULL_COLUMNS = 60;
    private static final int NARROWEST = 42;
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final String ASCII_BARS = "_.:-=+*#";
    private static final double LOWEST_BAR_NANOS = 1e6;
    private static final double DECADES = 3;

    /** The minimum gap between tick labels of the histogram. */
    private static final int TICK_GAP = 3;

    /** A difference of less than one part in this number is not shown. */
    private static final int VISIBLE = 100;

    private final Job job;
    private final RunPlan plan;
    private final Terminal terminal;
    private final TerminalColours ink;

    /** Uses the colours of the final screen, or none. */
    public Screen(Job job, Terminal terminal, TerminalColours ink) {
        this.job = job;
        this.plan = job.plan();
        this.terminal = terminal;
        this.ink = ink;
    }

    public Screen(Job job, Terminal terminal) {
        this(job, terminal, TerminalColours.NONE);
    }

    /** All of it in one line. */
    public String line(LiveTotals now) {
        int silent = now.count(LiveTotals.Health.SILENT);
        return progress(now) + "   " + counts(now)
                + (silent == 0 ? "" : ", " + Numbers.count(silent, "shard is silent", "shards are silent"));
    }

    /** The counts and the times so far in one line. */
    String counts(LiveTotals now) {
        RunSnapshot live = now.live();
        RunCounts.Snapshot counts = now.counts();
        Distribution response = counts.total().responseAtLeast();
        Distribution most = upperBound(now);
        String times = Percentiles.of(Percentiles.Place.BRIEF).stream()
                .filter(percentile -> hasEnough(response, percentile))
                .map(percentile -> ", " + Percentiles.name(percentile) + " "
                        + (isExact(response, most, percentile) ? "" : atLeastSign() + " ")
                        + time(response, percentile))
                .collect(Collectors.joining());
        return PlanText.format(
                        "done %,d%s, failed %,d, waiting %,d, in flight %,d",
                        done(counts), rate(counts), failed(counts), live.backlog(), live.inFlight())
                + times
                + (isStalled(live) ? ", no response for " + DurationText.rounded(live.silentNanos()) : "");
    }

    /**
     * The whole screen, with a line for each shard. No line is wider than the terminal, and there are fewer lines than it
     * has, since scrolled lines cannot be repainted.
     */
    public List<String> lines(LiveTotals now) {
        List<String> rows = new ArrayList<>();
        if (!now.parts().isEmpty()) {
            rows.add("");
            now.rows().forEach(row -> rows.add("  " + row));
        }
        List<String> lines = lines(0, now);
        for (int leftOut = 1; leftOut <= MOST_LEFT_OUT && lines.size() + rows.size() >= terminal.rows(); leftOut++) {
            lines = lines(leftOut, now);
        }
        lines.addAll(rows);
        return lines.stream().limit(terminal.rows() - 1L).map(this::cut).toList();
    }

    /** Omits this many parts, in order: histogram, chart, empty lines, Downbeat's own state, target. */
    private List<String> lines(int leftOut, LiveTotals now) {
        RunSnapshot live = now.live();
        RunCounts.Snapshot counts = now.counts();
        List<String> lines = new ArrayList<>();
        if (leftOut < MOST_LEFT_OUT) {
            lines.add(ink.bold(cut("downbeat run   " + job.target().describe())));
        }
        String load = PlanText.load(plan)
                + connections()
                + job.seed().map(seed -> ", seed " + seed).orElse("");
        lines.addAll(leftAndRight(load, progress(now)));
        lines.add("");
        if (leftOut < 4) {
            lines.addAll(flow("  ", sender(now), ", "));
        }
        lines.addAll(flow(
                "  ",
                List.of(
                        PlanText.format("done %,d%s", done(counts), rate(counts)),
                        failed(counts) == 0 ? "failed 0" : ink.bad(PlanText.format("failed %,d", failed(counts))),
                        PlanText.format("in flight %,d", live.inFlight()),
                        PlanText.format("waiting %,d", live.backlog())),
                "   "));
        if (isStalled(live)) {
            lines.add("  " + ink.bad("no response for " + DurationText.rounded(live.silentNanos())));
        }
        lines.add("");
        lines.addAll(table(now));
        if (leftOut < 2) {
            lines.addAll(chart(counts));
        }
        if (leftOut < 1) {
            lines.addAll(histogram(counts.recentResponses()));
        }
        lines.removeIf(line -> leftOut > 2 && line.isEmpty());
        return lines;
    }

    /** The response times if the waiting requests were never answered. */
    private static Distribution upperBound(LiveTotals now) {
        long waiting = Math.max(waiting(now.live()), now.counts().total().outstanding());
        return ResponseBounds.atMost(now.counts().total(), waiting);
    }

    private String atLeastSign() {
        return terminal.isUnicode() ? "≥" : ">=";
    }

    /** Whether the waiting requests cannot visibly raise a percentile. */
    private static boolean isExact(Distribution response, Distribution most, double percentile) {
        long nanos = response.valueAtPercentile(percentile);
        return most.valueAtPercentile(percentile) - nanos <= nanos / VISIBLE;
    }

    private String progress(LiveTotals now) {
        long elapsedNanos = now.elapsedNanos();
        if (elapsedNanos == LiveTotals.NOT_FIXED) {
            return plan.warmUpNanos() != 0 ? "warming up" : "connecting";
        }
        if (elapsedNanos < 0) {
            return "begins in " + Numbers.seconds(-elapsedNanos);
        }
        long waiting = waiting(now.live());
        return isDraining(elapsedNanos) && waiting > 0
                ? PlanText.format("waiting for %,d more", waiting)
                : PlanText.progress(plan, elapsedNanos, now.live().taken());
    }

    private static long waiting(RunSnapshot live) {
        return live.inFlight() + live.backlog();
    }

    /** Whether requests have been waiting for some time, and none was answered. */
    private static boolean isStalled(RunSnapshot live) {
        return live.silentNanos() >= Interruptions.LEAST_NANOS;
    }

    /** The rate of the last whole second. */
    private static String rate(RunCounts.Snapshot counts) {
        return counts.lastNanos() == 0
                ? ""
                : PlanText.format(
                        " (%,d/s at %.1f s)",
                        Math.round(counts.last().ledger().ended() * 1e9 / counts.lastNanos()),
                        counts.lastEndNanos() / 1e9);
    }

    /** Callers share the connections of a pool. */
    private String connections() {
        return numberOf("connection") + numberOf("caller");
    }

    private String numberOf(String noun) {
        return job.details().get(noun + "s") instanceof Integer count ? ", " + Numbers.count(count, noun) : "";
    }

    private boolean isDraining(long elapsedNanos) {
        return elapsedNanos > plan.durationNanos();
    }

    private List<String> leftAndRight(String left, String right) {
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
            int wide = TerminalColours.visibleLength(line + between + piece);
            if (!begins && wide >= terminal.columns()) {
                lines.add(line.append(between).toString().stripTrailing());
                line = new StringBuilder(indent);
                begins = true;
            }
            line.append(begins ? "" : between).append(piece);
        }
        lines.add(line.toString());
        return lines;
    }

    private List<String> sender(LiveTotals now) {
        long behindNanos = now.live().behindNanos();
        long worst = Math.max(now.counts().worstBehindNanos(), behindNanos);
        String word = worst < 10_000_000 ? "on time:" : ink.bad("LATE:");
        return List.of(word + " late by " + millis(behindNanos) + " now", millis(worst) + " at most");
    }

    private static String millis(long nanos) {
        return PlanText.format("%,.2f ms", Math.max(0, nanos) / 1e6);
    }

    private static long done(RunCounts.Snapshot counts) {
        return counts.total().ledger().ended();
    }

    private static long failed(RunCounts.Snapshot counts) {
        return counts.total().ledger().failed() + counts.total().ledger().timedOut();
    }

    private List<String> table(LiveTotals now) {
        Recording total = now.counts().total();
        Recording last = now.counts().last();
        Distribution response = total.responseAtLeast();
        List<Double> percentiles = percentiles(response);
        if (percentiles.isEmpty()) {
            return List.of("  no response yet");
        }
        List<String> lines = new ArrayList<>();
        StringBuilder names = new StringBuilder(" ".repeat(13));
        for (double percentile : percentiles) {
            names.append(padded(Percentiles.name(percentile)));
        }
        lines.add(ink.faint(names.toString()));
        lines.add(row("last second", percentiles, last.responseAtLeast(), ResponseBounds.atMost(last, 0)));
        Distribution most = upperBound(now);
        String whole = row("whole run", percentiles, response, most);
        String state = objectives(response, most);
        boolean fits = TerminalColours.visibleLength(whole + state) < terminal.columns();
        lines.add(fits ? whole + state : whole);
        Distribution longest = ResponseBounds.serviceAtMost(total, now.live().inFlight());
        lines.add(row("service", percentiles, ResponseBounds.serviceAtLeast(total), longest));
        if (!fits) {
            lines.add(state);
        }
        return lines;
    }

    private List<Double> percentiles(Distribution response) {
        Percentiles.Place place = terminal.columns() < FULL_COLUMNS ? Percentiles.Place.BRIEF : Percentiles.Place.LIVE;
        return Percentiles.of(place).stream()
                .filter(percentile -> hasEnough(response, percentile))
                .toList();
    }

    private static boolean hasEnough(Distribution times, double percentile) {
        return !times.isEmpty() && ResponseBounds.hasEnoughFor(percentile, times.count());
    }

    private String padded(String text) {
        return PlanText.format(terminal.columns() < NARROWEST ? "%8s" : "%9s", text);
    }

    private String row(String name, List<Double> percentiles, Distribution least, Distribution most) {
        StringBuilder row = new StringBuilder(PlanText.format("  %-11s", name));
        for (double percentile : percentiles) {
            String time = time(least, percentile);
            boolean isOneNumber = !hasEnough(least, percentile) || isExact(least, most, percentile);
            // without the space of the unit, or columns would touch
            row.append(padded(isOneNumber ? time : atLeastSign() + time.replace(" ", "")));
        }
        return row.toString();
    }

    private static String time(Distribution distribution, double percentile) {
        return !hasEnough(distribution, percentile)
                ? "-"
                : DurationText.rounded(distribution.valueAtPercentile(percentile));
    }

    /** The state so far of the first objective on a percentile. Nothing is judged before the end. */
    private String objectives(Distribution response, Distribution most) {
        for (ServiceLevelObjective slo : job.slos()) {
            if (slo instanceof ServiceLevelObjective.Percentile percentile) {
                return "  " + percentile.text() + state(percentile, response, most);
            }
        }
        return "";
    }

    private String state(ServiceLevelObjective.Percentile objective, Distribution response, Distribution most) {
        double percentile = objective.percentile();
        if (!objective.keeps(response.valueAtPercentile(percentile))) {
            return ink.bad(": above it so far");
        }
        boolean isBelow = hasEnough(response, percentile) && objective.keeps(most.valueAtPercentile(percentile));
        return isBelow ? ink.good(": below it so far") : "";
    }

    private List<String> chart(RunCounts.Snapshot counts) {
        List<Long> recent = counts.peaks().recent();
        if (recent.isEmpty()) {
            return List.of();
        }
        List<Long> shown = recent.subList(Math.max(0, recent.size() - width()), recent.size());
        StringBuilder bars = new StringBuilder("  ");
        for (long nanos : shown) {
            bars.append(String.valueOf(nanos == 0 ? ' ' : scale().charAt(height(nanos)))
                    .repeat(columnsPerSecond()));
        }
        String note = PlanText.format(
                "%s at %d s",
                DurationText.rounded(counts.peaks().worstNanos()),
                counts.peaks().worstAt());
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(flow("  ", List.of("worst per second: " + note, ink.faint("(1 ms to 1 s, logarithmic)")), " "));
        lines.add(bars.toString());
        return lines;
    }

    private int width() {
        return terminal.columns() - 4;
    }

    private String scale() {
        return terminal.isUnicode() ? BARS : ASCII_BARS;
    }

    /** Columns per second, so that a short run fills the width of the screen. */
    private int columnsPerSecond() {
        long seconds = Math.max(1, Math.round(plan.durationNanos() / 1e9));
        return (int) Math.max(1, width() / seconds);
    }

    /** The recent response times. A column is a part of a decade, its height the logarithm of a count. */
    private List<String> histogram(Distribution recentResponses) {
        if (recentResponses.isEmpty()) {
            return List.of();
        }
        double low = Math.floor(Math.log10(Math.max(1, recentResponses.minNanos())));
        double high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(1, recentResponses.maxNanos()))));
        long[] counts = new long[width()];
        recentResponses.forEach((nanos, count) -> {
            double share = (Math.log10(Math.max(1, nanos)) - low) / (high - low);
            counts[(int) Math.max(0, Math.min(counts.length - 1, share * counts.length))] += count;
        });
        long most = Arrays.stream(counts).max().orElse(1);
        StringBuilder bars = new StringBuilder("  ");
        for (long count : counts) {
            double share = Math.log1p(count) / Math.log1p(most);
            bars.append(count == 0 ? ' ' : scale().charAt((int) Math.round(share * (BARS.length() - 1))));
        }
        StringBuilder axis = new StringBuilder("  ");
        for (double decade = low; decade < high; decade++) {
            int at = 2 + (int) ((decade - low) / (high - low) * counts.length);
            if (axis.length() == 2 || at >= axis.length() + TICK_GAP) {
                axis.append(" ".repeat(at - axis.length()))
                        .append(DurationText.format(Math.round(Math.pow(10, decade))));
            }
        }
        return List.of(
                "",
                "  response times of the last " + RunCounts.RECENT_SECONDS + " s " + ink.faint("(height logarithmic)"),
                bars.toString(),
                ink.faint(cut(axis.toString())));
    }

    private static int height(long nanos) {
        double share = Math.log10(Math.max(1, nanos / LOWEST_BAR_NANOS)) / DECADES;
        return (int) Math.min(BARS.length() - 1, Math.floor(share * BARS.length()));
    }

    private String cut(String line) {
        int widest = terminal.columns() - 1;
        return TerminalColours.visibleLength(line) <= widest
                ? line
                : TerminalColours.plain(line).substring(0, widest);
    }
}
