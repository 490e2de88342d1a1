package dev.downbeat.report.data;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Steps;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A plan in words. The only place that distinguishes kinds of workloads.
 *
 * @param isDecided whether the run ended before the plan, because its objectives were decided
 */
public record WorkloadText(RunPlan plan, boolean isDecided) {
    /** A plan without a run. */
    public WorkloadText(RunPlan plan) {
        this(plan, false);
    }

    private static WorkloadText of(RunResult result) {
        return new WorkloadText(result.plan(), result.ending() == RunSpan.Ending.DECIDED);
    }

    /** {@link #line} without the seed, since runs of one load have different seeds. */
    public static String unseeded(RunReport report) {
        return String.join(", ", parts(new WorkloadText(report.result().plan()), report));
    }

    /** "open loop, Poisson 2,000/s for 60 s, 64 connections, seed 7f3a". */
    public static String line(RunReport report) {
        List<String> parts = parts(of(report.result()), report);
        report.seed().ifPresent(seed -> parts.add("seed " + seed));
        return String.join(", ", parts);
    }

    /**
     * "Poisson 2,000/s for 60 s": what distinguishes it from other loads; "for at most 10m 00s" if the objectives were
     * decided before.
     */
    public static String brief(RunResult result) {
        return of(result).sentence("");
    }

    private static List<String> parts(WorkloadText load, RunReport report) {
        List<String> parts = new ArrayList<>();
        parts.add(load.sentence("open loop, "));
        report.details().forEach((name, value) -> {
            if (!RunReport.REASONS.containsKey(name)) { // reasons follow the setting they explain
                boolean isOpened = name.equals("connections") && !(value instanceof Number);
                parts.add(detail(name, isOpened ? opened(report, value) : value)
                        + (name.equals("streams") ? allowed(report, value) : ""));
            }
        });
        return parts;
    }

    /** With as many connections as the server's streams require, their number is known only from the run. */
    private static Object opened(RunReport report, Object planned) {
        long[] open = report.result().intervals().stream()
                .mapToLong(interval -> interval.connections().openAtEnd())
                .filter(count -> count > 0)
                .sorted()
                .toArray();
        return open.length == 0 ? planned : (Object) open[open.length / 2];
    }

    /** The requested number is an upper limit; the server may allow fewer. */
    private static String allowed(RunReport report, Object requested) {
        RunResult result = report.result();
        OptionalLong each = Stream.concat(
                        result.intervals().stream().map(Interval::connections), Stream.of(result.connections()))
                .filter(counts -> counts.openAtEnd() > 0 && counts.streams().allowedAtEnd() > 0)
                .mapToLong(counts -> counts.streams().allowedAtEnd() / counts.openAtEnd())
                .max();
        return each.isPresent() && requested instanceof Number most && each.getAsLong() < most.longValue()
                ? " (the server allows " + Numbers.count(each.getAsLong()) + ")"
                : "";
    }

    /** "64 connections", "threads virtual": a detail of a load by its name in reports. */
    public static String detail(String name, Object value) {
        String words = name.replace('_', ' ');
        if (!(value instanceof Number number)) {
            return words + " " + value;
        }
        long count = number.longValue();
        String noun = count == 1 ? words.replaceFirst("s$", "") : words;
        return Numbers.count(count) + " " + noun;
    }

    private String sentence(String open) {
        if (plan.workload() instanceof Workload.External external) {
            return external.description();
        }
        boolean pauses = !(plan.workload() instanceof Workload.Open);
        return loop(open) + (pauses && plan.durationNanos() != Long.MAX_VALUE ? "," : "") + limits();
    }

    private String loop(String prefix) {
        Workload workload = plan.workload();
        if (workload instanceof Workload.Open open) {
            return prefix + open.arrivals().describe();
        }
        if (workload instanceof Workload.Closed closed) {
            return "closed loop, " + Numbers.count(closed.clients(), "virtual user") + think(closed.think());
        }
        Workload.PartlyOpen sessions = (Workload.PartlyOpen) workload;
        return "partly open, sessions " + sessions.sessions().describe() + " of "
                + Numbers.count(sessions.requests(), "request")
                + think(sessions.think());
    }

    private static String think(ThinkTime think) {
        return think.meanNanos() == 0
                ? ", no think time"
                : ", " + think.kind() + " think time "
                        + (think.steps() > 1
                                ? DurationText.rounded(think.meanNanos()) + " on average"
                                : DurationText.format(think.meanNanos()));
    }

    private String limits() {
        String text = "";
        if (plan.durationNanos() != Long.MAX_VALUE) {
            text += arrivals().map(this::durationUnlessImplied).orElseGet(this::duration);
        }
        if (plan.maxRequests() != Long.MAX_VALUE) {
            text += ", at most " + Numbers.count(plan.maxRequests(), "request");
        }
        return text;
    }

    private String durationUnlessImplied(ArrivalProcess arrivals) {
        if (arrivals instanceof Ramp ramp && ramp.durationNanos() == plan.durationNanos()) {
            return "";
        }
        return arrivals instanceof Steps
                ? ", " + atMost() + DurationText.format(plan.durationNanos()) + " in all"
                : duration();
    }

    private String duration() {
        return " for " + atMost() + DurationText.format(plan.durationNanos());
    }

    private String atMost() {
        return isDecided ? "at most " : "";
    }

    /** The arrivals of requests or sessions; empty for a closed loop. */
    public Optional<ArrivalProcess> arrivals() {
        if (plan.workload() instanceof Workload.Open open) {
            return Optional.of(open.arrivals());
        }
        return plan.workload() instanceof Workload.PartlyOpen sessions
                ? Optional.of(sessions.sessions())
                : Optional.empty();
    }
}
