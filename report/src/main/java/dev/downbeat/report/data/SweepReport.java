package dev.downbeat.report.data;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.Unmeasured;
import dev.downbeat.verdict.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that a report on a search for the highest rate can show. Immutable.
 *
 * @param capacity what was found
 * @param target what was aimed at, in one line
 * @param load how requests arrived, in a few words
 * @param command the command line with all defaults filled in, without secrets
 * @param seed of the arrivals, in hexadecimal; empty if nothing is random
 * @param version version of Downbeat
 * @param measurement what was asked for, as in {@link RunReport}
 */
public record SweepReport(
        Capacity capacity,
        String target,
        String load,
        List<String> command,
        String seed,
        String version,
        Map<String, Object> measurement) {
    /** Of what no command asked for. */
    public SweepReport(
            Capacity capacity, String target, String load, List<String> command, String seed, String version) {
        this(capacity, target, load, command, seed, version, Map.of());
    }

    public SweepReport {
        command = List.copyOf(command);
    }

    /** Why it is not the whole search, in one line; empty if nothing but its budget ended it. */
    public Optional<String> partial() {
        return capacity.unmeasured().map(SweepReport::partial);
    }

    public static String partial(Unmeasured end) {
        return "PARTIAL: ended at " + Numbers.rate(end.perSecond()) + ": " + end.reason();
    }

    /**
     * What a script is told: met if a rate was found and confirmed, missed if the service failed at every rate that
     * could be measured, unsound if this process was the limit or nothing was sure.
     *
     * @param acceptUnsound whether an answer in doubt goes for a sure one
     */
    public int exitCode(boolean acceptUnsound) {
        boolean found = capacity.sustainablePerSecond().isPresent();
        boolean outOfBudget = capacity.isCutShort() && capacity.unmeasured().isEmpty();
        if (!found && !outOfBudget && capacity.tooHighPerSecond().isPresent()) {
            return ExitCode.MISSED;
        }
        boolean doubt = !found || !capacity.isConfirmed() || capacity.limit() == Capacity.Limit.CLIENT;
        return doubt && !acceptUnsound ? ExitCode.UNSOUND : ExitCode.MET;
    }
}
