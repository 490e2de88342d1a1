package dev.downbeat.junit;

import dev.downbeat.load.Measured;
import dev.downbeat.load.Verdict;
import dev.downbeat.report.data.Reported;
import dev.downbeat.run.RunResult;
import java.time.Duration;
import java.util.function.Function;

/**
 * Measures as often as its budget allows: for twice as long where nothing could be decided, and once more, twice at most, where
 * a miss may be the doing of other processes. Each run stands for itself: one that is prolonged until it pleases would be right
 * too often. Use once.
 */
final class Attempts {
    private static final int MOST_REPEATS = 2;

    private final Function<Duration, Machine.Seen> run;
    private Duration length;
    private long leftNanos;
    private int repeats;

    /**
     * Begins with nothing.
     *
     * @param run measures for so long
     * @param length of the first run
     * @param budget that all runs may take, without the first if that takes more
     */
    Attempts(Duration length, Duration budget, Function<Duration, Machine.Seen> run) {
        this.run = run;
        this.length = length;
        leftNanos = budget.toNanos() - length.toNanos();
    }

    /** The last run, which decides. */
    Machine.Seen last() {
        Machine.Seen seen = run.apply(length);
        while (!isInterrupted(seen.measured())) {
            boolean repeats = isExcused(seen) && this.repeats < MOST_REPEATS;
            Duration next = repeats ? length : length.multipliedBy(2);
            if (!(repeats || isOpen(seen.measured())) || next.toNanos() > leftNanos) {
                break;
            }
            this.repeats += repeats ? 1 : 0;
            length = next;
            leftNanos -= next.toNanos();
            seen = run.apply(length);
        }
        return seen;
    }

    /** How long the last run was meant to be. */
    Duration length() {
        return length;
    }

    /** How often it was measured again because of other processes. */
    int repeats() {
        return repeats;
    }

    /** Whether an objective is missed, and other processes may have made it so. */
    static boolean isExcused(Machine.Seen seen) {
        return seen.measured().verdict() == Verdict.MISSED && seen.isExcused();
    }

    static boolean isInterrupted(Measured measured) {
        return Reported.of(measured).result().ending() == RunResult.Ending.INTERRUPTED;
    }

    /** Whether nothing could be decided. */
    static boolean isOpen(Measured measured) {
        return measured.verdict() == Verdict.UNDECIDED
                || (measured.verdict() == Verdict.UNSOUND
                        && !Reported.of(measured).verdict().isUnsoundInTimesAlone());
    }
}
