package dev.downbeat.junit;

import dev.downbeat.load.Measured;
import dev.downbeat.load.Verdict;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.caveat.RunDefect;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Repeats a measurement within its budget: with double length if undecided, and at most twice more if other processes
 * may have caused a miss. Each run is judged on its own. Extending one until it passes would pass too often. Use once.
 */
final class RepeatedRuns {
    private static final int MOST_REPEATS = 2;

    private final Function<Duration, Machine.Observation> run;
    private Duration length;
    private final long warmUpNanos;
    private long leftNanos;
    private int repeats;
    private Optional<Duration> unaffordable = Optional.empty();

    /** The budget is for all runs and their warm-ups; the first may exceed it. */
    RepeatedRuns(Duration length, Duration warmUp, Duration budget, Function<Duration, Machine.Observation> run) {
        this.run = run;
        this.length = length;
        warmUpNanos = warmUp.toNanos();
        leftNanos = budget.toNanos() - length.toNanos() - warmUpNanos;
    }

    /** The last run, which decides. */
    Machine.Observation last() {
        Machine.Observation observed = run.apply(length);
        while (!isInterrupted(observed.measured())) {
            boolean isRepeat = isExcused(observed) && repeats < MOST_REPEATS;
            Duration next = isRepeat ? length : length.multipliedBy(2);
            if (!isRepeat && !isOpen(observed.measured())) {
                break;
            }
            if (next.toNanos() + warmUpNanos > leftNanos) {
                unaffordable = Optional.of(next.plusNanos(warmUpNanos));
                break;
            }
            repeats += isRepeat ? 1 : 0;
            length = next;
            leftNanos -= next.toNanos() + warmUpNanos;
            observed = run.apply(length);
        }
        return observed;
    }

    /** The planned length of the last run. */
    Duration length() {
        return length;
    }

    /** What another run with its warm-up would have taken, if only the budget prevented it. */
    Optional<Duration> unaffordable() {
        return unaffordable;
    }

    /** The number of repetitions caused by other processes. */
    int repeats() {
        return repeats;
    }

    /** Whether an objective is missed and other processes may be the cause. */
    static boolean isExcused(Machine.Observation observed) {
        return observed.measured().verdict() == Verdict.MISSED && observed.isExcused();
    }

    static boolean isInterrupted(Measured measured) {
        return ReportAccess.of(measured).result().ending() == RunSpan.Ending.INTERRUPTED;
    }

    /** Whether the result is undecided, and another run might decide it. */
    static boolean isOpen(Measured measured) {
        return measured.verdict() == Verdict.UNDECIDED
                || (measured.verdict() == Verdict.UNSOUND
                        && !leavesWork(measured)
                        && !ReportAccess.of(measured).verdict().isUnsoundInTimesAlone());
    }

    /** Whether the calls only start their work: a fault of the test, which each run has alike. */
    static boolean leavesWork(Measured measured) {
        return ReportAccess.of(measured).verdict().caveats().stream()
                .anyMatch(found -> found instanceof RunDefect.WorkLeftBehind left && left.isCertain());
    }
}
