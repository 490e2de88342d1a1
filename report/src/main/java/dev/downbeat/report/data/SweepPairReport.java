package dev.downbeat.report.data;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.verdict.ExitCode;

/**
 * Two services at several loads. Immutable.
 *
 * @param base the service to compare with
 * @param other the service to compare
 */
public record SweepPairReport(SweepReport base, SweepReport other) {
    /** The conclusion. */
    public CapacityComparison comparison() {
        return new CapacityComparison(base.capacity(), other.capacity());
    }

    /**
     * The exit code: missed if the other certainly sustains less, unsound if one of the searches is in doubt.
     *
     * @param acceptUnsound whether an uncertain answer is accepted
     */
    public int exitCode(boolean acceptUnsound) {
        CapacityComparison comparison = comparison();
        boolean lost = isFailing(other.capacity()) && !isFailing(base.capacity());
        if (comparison.outcome() == CapacityComparison.Outcome.LESS || lost) {
            return ExitCode.MISSED;
        }
        boolean sure = base.exitCode(acceptUnsound) == ExitCode.MET && other.exitCode(acceptUnsound) == ExitCode.MET;
        return sure || acceptUnsound ? ExitCode.MET : ExitCode.UNSOUND;
    }

    /** Whether even the lowest rate was too high. */
    private static boolean isFailing(Capacity capacity) {
        return capacity.sustainablePerSecond().isEmpty()
                && capacity.tooHighPerSecond().isPresent()
                && !capacity.isCutShort();
    }
}
