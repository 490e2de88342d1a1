package dev.downbeat.why;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.arrival.Ramp;
import dev.downbeat.arrival.Step;
import dev.downbeat.arrival.Steps;
import dev.downbeat.record.Interval;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * The time of a run, by how much the service was asked. Under more load more requests are slow and more happens in the service,
 * whether or not one causes the other: what happens is held against slow requests at the same load only. What still waits when
 * the load falls is worked off at a level of its own. A load that follows the answers, as that of clients who wait for them, is
 * one level: it is lower because the service is slow.
 */
record LoadLevels(List<LoadLevel> levels) {
    /** Loads that differ by less are equal. */
    private static final double TOLERANCE = 0.1;

    private static final int MOST_OF_A_RAMP = 10;

    /** By so many standard deviations of their counts must seconds differ to be of two levels. */
    private static final double BY_CHANCE = 4;

    /** One level. */
    static LoadLevels even(long start, long end) {
        return new LoadLevels(List.of(level(List.of(new long[] {start, end}))));
    }

    /**
     * Of a run.
     *
     * @param out when requests were out that were slower than usual
     */
    static LoadLevels of(RunResult result, Spans out, long start, long end) {
        List<Asked> asked = new ArrayList<>();
        if (!(result.plan().workload() instanceof Workload.Open open)) {
            return even(start, end);
        }
        if (!add(open.arrivals(), 0, Math.min(end, result.plan().durationNanos()), asked)) {
            asked = counted(result.intervals());
        }
        asked.add(new Asked(result.plan().durationNanos(), Long.MAX_VALUE, 0, TOLERANCE));
        return new LoadLevels(grouped(asked, out, start, end));
    }

    /**
     * A stretch of the run.
     *
     * @param perSecond how many requests were meant to start
     * @param tolerance how far off an equal load may be
     */
    private record Asked(long from, long to, double perSecond, double tolerance) {
        boolean isAs(Asked other) {
            return Math.abs(perSecond - other.perSecond)
                    <= Math.max(tolerance, other.tolerance) * Math.max(perSecond, other.perSecond);
        }
    }

    /** False if the process does not say how much it asks for. */
    private static boolean add(ArrivalProcess process, long from, long to, List<Asked> asked) {
        if (process instanceof Constant constant) {
            return asked.add(new Asked(from, to, constant.rate().perSecond(), TOLERANCE));
        }
        if (process instanceof Poisson poisson) {
            return asked.add(new Asked(from, to, poisson.rate().perSecond(), TOLERANCE));
        }
        if (process instanceof Ramp ramp) {
            addRamp(ramp, from, asked);
            return true;
        }
        if (process instanceof Steps steps) {
            boolean isKnown = true;
            long at = from;
            for (Step step : steps.steps()) {
                long end = step.durationNanos() >= to - at ? to : at + step.durationNanos();
                isKnown &= at >= end || add(step.process(), at, end, asked);
                at = end;
            }
            return isKnown;
        }
        return false;
    }

    private static void addRamp(Ramp ramp, long from, List<Asked> asked) {
        double first = ramp.from().perSecond();
        double last = ramp.to().perSecond();
        double change = Math.abs(last - first) / Math.max(1e-9, Math.max(first, last));
        int parts = (int) Math.min(MOST_OF_A_RAMP, 1 + change / TOLERANCE);
        for (int i = 0; i < parts; i++) {
            asked.add(new Asked(
                    from + ramp.durationNanos() / parts * i,
                    i == parts - 1 ? from + ramp.durationNanos() : from + ramp.durationNanos() / parts * (i + 1),
                    first + (last - first) * (i + 0.5) / parts,
                    0));
        }
    }

    private static List<Asked> counted(List<Interval> intervals) {
        List<Asked> asked = new ArrayList<>();
        for (Interval interval : intervals) {
            double count = interval.recording().ledger().planned();
            asked.add(new Asked(
                    interval.startNanos(),
                    interval.endNanos(),
                    count * 1e9 / interval.lengthNanos(),
                    TOLERANCE + BY_CHANCE / Math.sqrt(Math.max(1, count))));
        }
        return asked;
    }

    private static List<LoadLevel> grouped(List<Asked> asked, Spans out, long start, long end) {
        List<Asked> firsts = new ArrayList<>();
        List<List<long[]>> pieces = new ArrayList<>();
        List<LoadLevel> levels = new ArrayList<>();
        long at = start;
        double before = 0;
        for (Asked one : asked) {
            long from = Math.max(at, Math.min(one.from, end));
            long to = Math.max(from, Math.min(one.to, end));
            if (one.perSecond < before) {
                long worked = Math.min(end, workedOff(out, from));
                levels.add(level(List.of(new long[] {from, worked})));
                from = worked;
            }
            before = one.perSecond;
            if (to > from) {
                int place = 0;
                while (place < firsts.size() && !firsts.get(place).isAs(one)) {
                    place++;
                }
                if (place == firsts.size()) {
                    firsts.add(one);
                    pieces.add(new ArrayList<>());
                }
                pieces.get(place).add(new long[] {from, to});
            }
            at = Math.max(from, to);
        }
        pieces.forEach(some -> levels.add(level(some)));
        return levels.stream().filter(level -> level.lengthNanos() > 0).toList();
    }

    private static long workedOff(Spans out, long at) {
        int span = out.firstAfter(at);
        return span < out.count() && out.from(span) <= at ? out.to(span) : at;
    }

    private static LoadLevel level(List<long[]> pieces) {
        return new LoadLevel(Spans.of(pieces));
    }

    /** The same events later at each level, in circles. */
    Spans turned(Spans spans, double byShare) {
        List<long[]> pairs = new ArrayList<>();
        levels.forEach(level -> pairs.addAll(level.turned(spans, byShare)));
        return Spans.of(pairs);
    }

    /** All of them together. */
    long lengthNanos() {
        return levels.stream().mapToLong(LoadLevel::lengthNanos).sum();
    }
}
