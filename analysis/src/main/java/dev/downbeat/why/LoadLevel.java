package dev.downbeat.why;

import java.util.ArrayList;
import java.util.List;

/** The parts of a run with equal load, concatenated. Immutable. */
final class LoadLevel {
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
    List<long[]> turned(Spans spans, double byShare) {
        long length = lengthNanos();
        long by = (long) (byShare * length);
        List<long[]> pairs = new ArrayList<>();
        for (int i = 0; i < spans.count(); i++) {
            long from = at(spans.from(i));
            long lasts = at(spans.to(i)) - from;
            if (lasts > 0) {
                long begin = (from + by) % length;
                addRunTime(begin, Math.min(begin + lasts, length), pairs);
                addRunTime(0, begin + lasts - length, pairs);
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
