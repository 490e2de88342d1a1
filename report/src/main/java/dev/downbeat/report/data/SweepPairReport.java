package dev.downbeat.report.data;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.verdict.ExitCode;

/**
 * Two services at several loads. Immutable.
 *
 * @param base what is compared with
 * @param other what is compared
 */
public record SweepPairReport(SweepReport base, SweepReport other) {
    /** What may be concluded. */
    public CapacityComparison comparison() {
        return new CapacityComparison(base.capacity(), other.capacity());
    }

    /**
     * What a script is told: missed if the other surely sustains less, unsound if one of the two searches is in doubt.
     *
     * @param acceptUnsound whether an answer in doubt goes for a sure one
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

    /** Whether even the lowest rate was too much. */
    private static boolean isFailing(Capacity capacity) {
        return capacity.sustainablePerSecond().isEmpty()
                && capacity.tooHighPerSecond().isPresent()
                && !capacity.isCutShort();
    }
}
