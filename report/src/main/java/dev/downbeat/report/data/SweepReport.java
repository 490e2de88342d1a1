package dev.downbeat.report.data;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.Capacity.Unmeasured;
import dev.downbeat.capacity.CapacityComparison;
import dev.downbeat.stats.Numbers;
import dev.downbeat.verdict.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a report of a search shows. Immutable.
 *
 * @param capacity the result
 * @param target the target, in one line
 * @param load the arrival process, in a few words
 * @param command command line with all defaults, without secrets
 * @param seed hexadecimal seed of the arrivals; empty if nothing is random
 * @param version Downbeat's version
 * @param measurement what was measured, as in {@link RunReport}
 */
public record SweepReport(
        Capacity capacity,
        String target,
        String load,
        List<String> command,
        String seed,
        String version,
        Map<String, Object> measurement) {
    public SweepReport {
        command = List.copyOf(command);
    }

    /** Why the search is incomplete, in one line; empty if it completed or its budget ran out. */
    public Optional<String> partial() {
        return capacity.unmeasured().map(SweepReport::partial);
    }

    public static String partial(Unmeasured end) {
        return "PARTIAL: ended at " + Numbers.rate(end.perSecond()) + ": " + end.reason();
    }

    /**
     * The exit code. It is met if a rate was found and confirmed, and missed if a search that came to its end found none.
     * It is unsound if Downbeat was the limit or nothing was certain.
     *
     * @param acceptUnsound whether an uncertain answer is accepted
     */
    public int exitCode(boolean acceptUnsound) {
        boolean found = capacity.sustainablePerSecond().isPresent();
        if (!found && !capacity.isCutShort() && capacity.tooHighPerSecond().isPresent()) {
            return ExitCode.MISSED;
        }
        boolean doubt = !found || !capacity.isConfirmed() || capacity.limit() == Capacity.Limit.CLIENT;
        boolean isAccepted = acceptUnsound && (found || capacity.unmeasured().isEmpty());
        return doubt && !isAccepted ? ExitCode.UNSOUND : ExitCode.MET;
    }

    /**
     * Two services at several loads. Immutable.
     *
     * @param base the service to compare with
     * @param other the service to compare
     */
    public record Pair(SweepReport base, SweepReport other) {
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
            boolean sure =
                    base.exitCode(acceptUnsound) == ExitCode.MET && other.exitCode(acceptUnsound) == ExitCode.MET;
            return sure || acceptUnsound ? ExitCode.MET : ExitCode.UNSOUND;
        }

        /** Whether even the lowest rate was too high. */
        private static boolean isFailing(Capacity capacity) {
            return capacity.sustainablePerSecond().isEmpty()
                    && capacity.tooHighPerSecond().isPresent()
                    && !capacity.isCutShort();
        }
    }
}
