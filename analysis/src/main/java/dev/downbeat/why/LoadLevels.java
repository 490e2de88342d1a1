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
 * The time of a run by level of load. Higher load means more slow requests and more events, whether or not one causes
 * the other. Events are therefore compared with slow requests at the same load only. The backlog that drains after a
 * fall of the load forms its own level. A closed-loop load is a single level, since it falls because the service is
 * slow.
 */
record LoadLevels(List<LoadLevel> levels) {
    /** Loads that differ by less are equal. */
    private static final double TOLERANCE = 0.1;

    private static final int MOST_OF_A_RAMP = 10;

    /** Seconds belong to different levels if their counts differ by at least this many standard deviations. */
    private static final double CHANCE_DEVIATIONS = 4;

    static LoadLevels even(long start, long end) {
        return new LoadLevels(List.of(level(List.of(new long[] {start, end}))));
    }

    /** The levels of a run, with the time in which requests slower than usual were in flight. */
    static LoadLevels of(RunResult result, Spans inFlight, long start, long end) {
        List<RateSpan> rates = new ArrayList<>();
        if (!(result.plan().workload() instanceof Workload.Open open)) {
            return even(start, end);
        }
        if (!add(open.arrivals(), 0, Math.min(end, result.plan().durationNanos()), rates)) {
            rates = counted(result.intervals());
        }
        rates.add(new RateSpan(result.plan().durationNanos(), Long.MAX_VALUE, 0, TOLERANCE));
        return new LoadLevels(grouped(rates, inFlight, start, end));
    }

    /** A stretch of the run with its planned rate, and the accepted deviation of an equal load. */
    private record RateSpan(long from, long to, double perSecond, double tolerance) {
        boolean isSameRate(RateSpan other) {
            return Math.abs(perSecond - other.perSecond)
                    <= Math.max(tolerance, other.tolerance) * Math.max(perSecond, other.perSecond);
        }
    }

    /** Adds a stretch; false if the arrival process has no known rate. */
    private static boolean add(ArrivalProcess process, long from, long to, List<RateSpan> rates) {
        if (process instanceof Constant constant) {
            return rates.add(new RateSpan(from, to, constant.rate().perSecond(), TOLERANCE));
        }
        if (process instanceof Poisson poisson) {
            return rates.add(new RateSpan(from, to, poisson.rate().perSecond(), TOLERANCE));
        }
        if (process instanceof Ramp ramp) {
            addRamp(ramp, from, rates);
            return true;
        }
        if (process instanceof Steps steps) {
            boolean isKnown = true;
            long at = from;
            for (Step step : steps.steps()) {
                long end = step.durationNanos() >= to - at ? to : at + step.durationNanos();
                isKnown &= at >= end || add(step.process(), at, end, rates);
                at = end;
            }
            return isKnown;
        }
        return false;
    }

    private static void addRamp(Ramp ramp, long from, List<RateSpan> rates) {
        double first = ramp.from().perSecond();
        double last = ramp.to().perSecond();
        double change = Math.abs(last - first) / Math.max(1e-9, Math.max(first, last));
        int parts = (int) Math.min(MOST_OF_A_RAMP, 1 + change / TOLERANCE);
        for (int i = 0; i < parts; i++) {
            rates.add(new RateSpan(
                    from + ramp.durationNanos() / parts * i,
                    i == parts - 1 ? from + ramp.durationNanos() : from + ramp.durationNanos() / parts * (i + 1),
                    first + (last - first) * (i + 0.5) / parts,
                    0));
        }
    }

    private static List<RateSpan> counted(List<Interval> intervals) {
        List<RateSpan> rates = new ArrayList<>();
        for (Interval interval : intervals) {
            double count = interval.recording().ledger().planned();
            rates.add(new RateSpan(
                    interval.startNanos(),
                    interval.endNanos(),
                    count * 1e9 / interval.lengthNanos(),
                    TOLERANCE + CHANCE_DEVIATIONS / Math.sqrt(Math.max(1, count))));
        }
        return rates;
    }

    private static List<LoadLevel> grouped(List<RateSpan> rates, Spans inFlight, long start, long end) {
        List<RateSpan> firsts = new ArrayList<>();
        List<List<long[]>> pieces = new ArrayList<>();
        List<LoadLevel> levels = new ArrayList<>();
        long at = start;
        double before = 0;
        for (RateSpan one : rates) {
            long from = Math.max(at, Math.min(one.from, end));
            long to = Math.max(from, Math.min(one.to, end));
            if (one.perSecond < before) {
                long drained = Math.min(end, backlogEnd(inFlight, from));
                levels.add(level(List.of(new long[] {from, drained})));
                from = drained;
            }
            before = one.perSecond;
            if (to > from) {
                int place = 0;
                while (place < firsts.size() && !firsts.get(place).isSameRate(one)) {
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

    private static long backlogEnd(Spans inFlight, long at) {
        int span = inFlight.firstAfter(at);
        return span < inFlight.count() && inFlight.from(span) <= at ? inFlight.to(span) : at;
    }

    private static LoadLevel level(List<long[]> pieces) {
        return new LoadLevel(Spans.of(pieces));
    }

    /** The events rotated at each level. */
    Spans rotated(Spans spans, double byShare) {
        List<long[]> pairs = new ArrayList<>();
        levels.forEach(level -> pairs.addAll(level.rotated(spans, byShare)));
        return Spans.of(pairs);
    }

    long lengthNanos() {
        return levels.stream().mapToLong(LoadLevel::lengthNanos).sum();
    }

    /** The parts of a run with equal load, concatenated. Immutable. */
    static final class LoadLevel {
        private final Spans when;

        /** Total length of the stretches before each one. */
        private final long[] before;

        LoadLevel(Spans when) {
            this.when = when;
            this.before = new long[when.count()];
            for (int i = 1; i < before.length; i++) {
                before[i] = before[i - 1] + when.to(i - 1) - when.from(i - 1);
            }
        }

        long lengthNanos() {
            return when.totalNanos();
        }

        /** Position of an instant of the run within the level. */
        long at(long nanos) {
            int place = when.firstAfter(nanos);
            return place == when.count() ? lengthNanos() : before[place] + Math.max(0, nanos - when.from(place));
        }

        /** The events rotated within this level alone; those outside are ignored. */
        List<long[]> rotated(Spans spans, double byShare) {
            long length = lengthNanos();
            long by = (long) (byShare * length);
            List<long[]> pairs = new ArrayList<>();
            for (int i = 0; i < spans.count(); i++) {
                long from = at(spans.from(i));
                long eventNanos = at(spans.to(i)) - from;
                if (eventNanos > 0) {
                    long begin = (from + by) % length;
                    addRunTime(begin, Math.min(begin + eventNanos, length), pairs);
                    addRunTime(0, begin + eventNanos - length, pairs);
                }
            }
            return pairs;
        }

        private void addRunTime(long from, long to, List<long[]> pairs) {
            for (int i = 0; i < before.length && before[i] < to; i++) {
                long begin = Math.max(from, before[i]);
                long end = Math.min(to, before[i] + when.to(i) - when.from(i));
                if (end > begin) {
                    pairs.add(new long[] {when.from(i) + begin - before[i], when.from(i) + end - before[i]});
                }
            }
        }
    }
}
