package dev.downbeat.audit;

import java.util.List;

/**
 * The planned start rate of each window, and the windows with less than half of it between faster neighbours. A
 * closed-loop tool sends fewer requests to a slow service.
 */
final class SlowWindows {
    private static final double SLOW = 0.5;
    private static final int LEAST = 80;
    private static final int[] SPANS = {8, 32};

    private final double[] rate;
    private final double[] planned;
    private final boolean[] slow;
    private boolean isAny;

    SlowWindows(WindowTimes windows, List<FoundStall> stalls) {
        int count = windows.count();
        rate = new double[count];
        planned = new double[count];
        slow = new boolean[count];
        FoundStall[] stalled = new FoundStall[count];
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
                judge(window, group, stalled);
            }
        }
    }

    private void judge(int window, int group, FoundStall[] stalled) {
        double here = mean(window - group / 2, window - group / 2 + group, stalled);
        for (int span : SPANS) {
            double before = mean(window - group / 2 - span * group, window - group / 2, stalled);
            double after = mean(window + group, window + group + span * group, stalled);
            double around = Math.min(before, after);
            if (here >= 0 && here < SLOW * around) {
                isAny = true;
                mark(window - group / 2 - 1, window - group / 2 + group + 1, around); // its edges lie within windows
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
    private double mean(int from, int until, FoundStall[] stalled) {
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
