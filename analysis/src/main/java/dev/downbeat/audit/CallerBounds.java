package dev.downbeat.audit;

import dev.downbeat.audit.Stalls.FoundStall;
import dev.downbeat.audit.Stalls.FoundStall.AffectedUsers;
import dev.downbeat.audit.WindowTimes.Masses;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of the response times that independent callers at the planned rate would have seen.
 *
 * <p><b>Lower bound:</b> the recorded times, plus the requests that were not sent during stalls, each lasting from its
 * planned time to the first response. If only some users were stuck, only their missing requests are added. This
 * assumes that the service, not the tool, was paused, and that it favours no caller.
 *
 * <p><b>Upper bound:</b> the missing requests also wait in a queue, which drains at most at the highest rate observed.
 * The recorded times of a moment stand for all callers planned for it. A closed-loop tool never reveals more capacity
 * than it uses, so the queue often lasts to the end of the run. The upper bound is then the whole stall.
 */
final class CallerBounds {
    private static final int MOST_STEPS = 200_000;
    private static final double LEAST_HEADROOM = 1.05;

    private final ResultCollector collected;
    private final Timeline timeline;
    private final WindowTimes windows;
    private final List<FoundStall> stalls;
    private final Masses low = new Masses();
    private final Masses high = new Masses();
    private boolean isAsRecorded = true;

    /** The longest such period outside of stalls. */
    private Optional<FewStarts> fewStarts = Optional.empty();

    /** A period with fewer than half as many starts as before and after it. */
    record FewStarts(long fromNanos, long untilNanos) {}

    private CallerBounds(ResultCollector collected, List<FoundStall> stalls) {
        this.collected = collected;
        this.timeline = collected.timeline();
        this.windows = collected.windows();
        this.stalls = stalls;
    }

    static CallerBounds of(ResultCollector collected, List<FoundStall> stalls, List<IsolatedSlowRequest> isolated) {
        CallerBounds bounds = new CallerBounds(collected, stalls);
        bounds.lower();
        bounds.upper(isolated);
        return bounds;
    }

    /** Whether no omission was found, so that both bounds equal the recorded times. */
    boolean areAsRecorded() {
        return isAsRecorded;
    }

    Optional<FewStarts> fewStarts() {
        return fewStarts;
    }

    Masses low() {
        return low;
    }

    Masses high() {
        return high;
    }

    private void lower() {
        copyRecorded(low);
        for (FoundStall stall : stalls) {
            if (stall.isCertain() && stall.isCoordinated()) {
                stall.part().ifPresentOrElse(this::omittedByPart, () -> omitted(stall));
            }
        }
    }

    /** Adds the requests that the stuck users of one part would have sent meanwhile. */
    private void omittedByPart(AffectedUsers part) {
        isAsRecorded = false;
        double together =
                part.waitNanos().stream().mapToDouble(Long::doubleValue).sum();
        for (long wait : part.waitNanos()) {
            double missing = part.missing() * wait / together;
            double longest = wait * missing / (missing + 1); // the first is due when a usual request had ended
            int pieces = (int) Math.max(1, Math.min(50, missing));
            for (int piece = 0; piece < pieces; piece++) {
                low.add((long) (longest * (piece + 0.5) / pieces), missing / pieces);
            }
        }
    }

    /** Adds missing requests in slices of at least twenty planned starts, where at most half of them started. */
    private void omitted(FoundStall stall) {
        double expected = stall.lowRate() * stall.lengthNanos() / 1e9;
        int pieces = (int) Math.max(1, Math.min(200, expected / 20));
        int from = timeline.binOf(stall.fromNanos());
        int bins = timeline.binOf(stall.untilNanos()) - from;
        for (int i = 0; i < pieces; i++) {
            int begin = from + (int) ((long) bins * i / pieces);
            int end = from + (int) ((long) bins * (i + 1) / pieces);
            double planned = stall.lowRate() * (end - begin) * timeline.widthNanos() / 1e9;
            double missing = planned - timeline.startsFrom(begin, end);
            if (missing <= 0.5 * planned) {
                continue;
            }
            isAsRecorded = false;
            int parts = (int) Math.max(1, Math.min(50, missing));
            for (int part = 0; part < parts; part++) {
                long at = timeline.atNanos(begin)
                        + (long) ((end - begin) * (double) timeline.widthNanos() * (part + 1) / parts);
                low.add(Math.max(0, stall.untilNanos() - at), missing / parts);
            }
        }
    }

    private void upper(List<IsolatedSlowRequest> isolated) {
        SlowWindows slow = new SlowWindows(windows, stalls);
        fewStarts = slow.longest();
        boolean isCoordinated = stalls.stream().anyMatch(FoundStall::isCoordinated);
        if (isAsRecorded && !isCoordinated && !slow.areAny()) {
            copyRecorded(high);
        } else {
            isAsRecorded = false;
            new Queue(slow).run();
        }
        isolated.forEach(this::unsentMeanwhile);
    }

    /** Assuming a stall, adds the requests that this user would have sent during it. */
    private void unsentMeanwhile(IsolatedSlowRequest wait) {
        isAsRecorded = false;
        int pieces = (int) Math.max(1, Math.min(50, wait.unsent()));
        for (int piece = 0; piece < pieces; piece++) {
            high.add((long) (wait.request().nanos() * (piece + 0.5) / pieces), wait.unsent() / pieces);
        }
    }

    private void copyRecorded(Masses masses) {
        for (HistogramIterationValue value : collected.durations().recordedValues()) {
            masses.add(value.getValueIteratedTo(), (double) value.getCountAtValueIteratedTo());
        }
    }

    /** The highest observed response rate: the 90th percentile over groups of requests outside stalls. */
    private double capacity() {
        double groupSize = Math.max(50, collected.count() / 200.0);
        int size = (int)
                Math.max(1, Math.ceil(groupSize * collected.lengthNanos() / collected.count() / timeline.widthNanos()));
        Histogram rates = new Histogram(3);
        for (int from = 0; from + size <= timeline.bins(); from += size) {
            long begin = timeline.atNanos(from);
            long end = timeline.atNanos(from + size);
            if (stalls.stream()
                    .noneMatch(stall -> stall.fromNanos() < end && stall.untilNanos() + (end - begin) >= begin)) {
                long answered = 0;
                for (int bin = from; bin < from + size; bin++) {
                    answered += timeline.endsIn(bin);
                }
                rates.recordValue(Math.round(answered * 1e12 / (end - begin)));
            }
        }
        double highest = rates.getTotalCount() == 0 ? 0 : rates.getValueAtPercentile(90) / 1e3;
        return highest > 0 ? highest : collected.count() * 1e9 / collected.lengthNanos();
    }

    /** Planned callers in time order, queued in front of a service limited to its highest observed rate. */
    private final class Queue {
        private final SlowWindows slow;
        private final double capacity = capacity();
        private final long ordinaryNanos;
        private double waiting;

        Queue(SlowWindows slow) {
            this.slow = slow;
            Histogram durations = collected.durations();
            long shortest =
                    stalls.stream().mapToLong(FoundStall::lengthNanos).min().orElse(Long.MAX_VALUE);
            this.ordinaryNanos = Math.min(durations.getValueAtPercentile(95), shortest);
        }

        private long queuedNanos() {
            return Math.round(waiting / capacity * 1e9);
        }

        void run() {
            long from = collected.firstStartNanos();
            // In a stall at the end, the tool may have waited with requests that were due.
            long last = stalls.stream()
                    .filter(stall -> stall.part().isEmpty())
                    .mapToLong(FoundStall::untilNanos)
                    .max()
                    .orElse(from);
            long length = Math.max(1, Math.max(last, collected.lastStartNanos()) - from);
            long shortest =
                    stalls.stream().mapToLong(FoundStall::lengthNanos).min().orElse(windows.widthNanos());
            int steps = (int) Math.max(100, Math.min(MOST_STEPS, 100.0 * length / Math.max(1, shortest)));
            double stepNanos = (double) length / steps;
            double[] undelayed = new double[windows.count()];
            int next = 0;
            for (int step = 0; step < steps; step++) {
                long at = from + (long) (step * stepNanos);
                while (next < stalls.size() && stalls.get(next).untilNanos() <= at) {
                    next++;
                }
                FoundStall stall = next < stalls.size() && stalls.get(next).fromNanos() <= at ? stalls.get(next) : null;
                int window = windows.windowOf(at);
                boolean isDelayed = stall != null || slow.isSlow(window);
                double rate = stall != null ? stall.highRate() : slow.plannedRate(window);
                double arrivals = rate * stepNanos / 1e9;
                if (isDelayed) {
                    long until = stall != null ? stall.untilNanos() : windows.atNanos(slow.slowUntil(window));
                    high.add(Math.max(0, until - at) + queuedNanos() + ordinaryNanos, arrivals);
                    waiting += arrivals;
                    continue;
                }
                if (waiting < 1) {
                    undelayed[window] += arrivals;
                } else {
                    high.add(queuedNanos() + ordinaryNanos, arrivals);
                }
                double served = capacity > rate * LEAST_HEADROOM ? capacity : rate;
                waiting = Math.max(0, waiting + arrivals - served * stepNanos / 1e9);
            }
            for (int window = 0; window < undelayed.length; window++) {
                if (undelayed[window] > 0 && !windows.spread(window, undelayed[window], high)) {
                    high.add(ordinaryNanos, undelayed[window]);
                }
            }
        }
    }

    /**
     * The planned start rate of each window, and the windows with less than half of it between faster neighbours. A
     * closed-loop tool sends fewer requests to a slow service.
     */
    private static final class SlowWindows {
        private static final double SLOW = 0.5;
        private static final int LEAST = 80;
        private static final int[] SPANS = {8, 32};

        private final double[] rate;
        private final double[] planned;
        private final boolean[] slow;
        private final @Nullable FoundStall[] stalled;
        private final WindowTimes windows;
        private boolean isAny;

        SlowWindows(WindowTimes windows, List<FoundStall> stalls) {
            this.windows = windows;
            int count = windows.count();
            rate = new double[count];
            planned = new double[count];
            slow = new boolean[count];
            stalled = new FoundStall[count];
            boolean[] catchingUp = new boolean[count];
            for (FoundStall stall : stalls) {
                int from = windows.windowOf(stall.fromNanos());
                int until = windows.windowOf(stall.untilNanos());
                int settled = windows.windowOf(stall.untilNanos() + stall.lengthNanos());
                for (int window = from; window <= settled; window++) {
                    if (window <= until) {
                        stalled[window] = stall;
                    } else if (stalled[window] == null) {
                        stalled[window] = stall;
                        catchingUp[window] = true;
                    }
                }
            }
            long requests = 0;
            for (int window = 0; window < count; window++) {
                rate[window] = windows.startsIn(window) * 1e9 / windows.widthNanos();
                requests += windows.startsIn(window);
            }
            int group = (int) Math.max(1, Math.ceil((double) LEAST * count / Math.max(1, requests)));
            for (int window = 0; window < count; window++) {
                FoundStall stall = stalled[window];
                planned[window] = Math.max(planned[window], rate[window]);
                if (stall != null) {
                    planned[window] = catchingUp[window] ? Math.min(rate[window], stall.highRate()) : stall.highRate();
                } else {
                    judge(window, group);
                }
            }
        }

        private void judge(int window, int group) {
            double here = mean(window - group / 2, window - group / 2 + group);
            for (int span : SPANS) {
                double before = mean(window - group / 2 - span * group, window - group / 2);
                double after = mean(window + group, window + group + span * group);
                double around = Math.min(before, after);
                if (here >= 0 && here < SLOW * around) {
                    isAny = true;
                    mark(
                            window - group / 2 - 1,
                            window - group / 2 + group + 1,
                            around); // its edges lie within windows
                }
            }
        }

        private void mark(int from, int until, double around) {
            for (int i = Math.max(0, from); i < Math.min(slow.length, until); i++) {
                slow[i] = true;
                planned[i] = Math.max(planned[i], around);
            }
        }

        /** The mean over windows without a stall; negative if more than half of them contain one. */
        private double mean(int from, int until) {
            double sum = 0;
            int of = 0;
            for (int i = Math.max(0, from); i < Math.min(rate.length, until); i++) {
                if (stalled[i] == null) {
                    sum += rate[i];
                    of++;
                }
            }
            return 2 * of >= until - from && of > 0 ? sum / of : -1;
        }

        boolean areAny() {
            return isAny;
        }

        /** The longest such period, or only its part without any request if that is at least half of it. */
        Optional<FewStarts> longest() {
            Run slowRun = longestRun(0, slow.length, window -> slow[window]);
            if (slowRun.length() == 0) {
                return Optional.empty();
            }
            int from = slowRun.from;
            int until = slowRun.until;
            while (from > 0 && isEmpty(from - 1)) {
                from--;
            }
            while (until < rate.length && isEmpty(until)) {
                until++;
            }
            Run empty = longestRun(from, until, this::isEmpty);
            Run named = 2 * empty.length() >= until - from ? empty : slowRun;
            return Optional.of(new FewStarts(windows.atNanos(named.from), windows.atNanos(named.until)));
        }

        private boolean isEmpty(int window) {
            return rate[window] == 0 && stalled[window] == null;
        }

        private record Run(int from, int until) {
            int length() {
                return until - from;
            }
        }

        /** The longest run of such windows outside of stalls, which have their own findings. */
        private Run longestRun(int from, int until, IntPredicate isPart) {
            Run longest = new Run(from, from);
            int begin = from;
            for (int window = from; window < until; window++) {
                if (stalled[window] != null || !isPart.test(window)) {
                    begin = window + 1;
                } else if (window + 1 - begin > longest.length()) {
                    longest = new Run(begin, window + 1);
                }
            }
            return longest;
        }

        boolean isSlow(int window) {
            return slow[window];
        }

        /** The first window after a slow one that is not slow. */
        int slowUntil(int window) {
            int next = window;
            while (next < slow.length && slow[next]) {
                next++;
            }
            return next;
        }

        /** Planned requests per second; never less than observed. */
        double plannedRate(int window) {
            return planned[window];
        }
    }
}
