package dev.downbeat.report.data;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.Capacity.Unmeasured;
import dev.downbeat.capacity.SearchPlan;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
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
 * @param acceptUnsound whether an uncertain answer is accepted
 */
public record SweepReport(
        Capacity capacity,
        String target,
        String load,
        List<String> command,
        String seed,
        String version,
        Map<String, Object> measurement,
        boolean acceptUnsound) {
    public SweepReport {
        command = List.copyOf(command);
    }

    /** The load of a search in a few words; {@code seed} is empty if nothing is random. */
    public static String load(SearchPlan plan, boolean isRandom, String seed) {
        return "open loop, " + (isRandom ? "Poisson" : "constant") + " arrivals; "
                + DurationText.format(plan.stepNanos()) + " per rate, including "
                + DurationText.format(plan.settlingNanos())
                + " to settle, longer if undecided" + (seed.isEmpty() ? "" : "; seed " + seed);
    }

    /** Why the search is incomplete, in one line; empty if it completed or its budget ran out. */
    public Optional<String> partial() {
        return capacity.unmeasured().map(SweepReport::partial);
    }

    public static String partial(Unmeasured end) {
        return "PARTIAL: ended at " + Numbers.rate(end.perSecond()) + ": " + end.reason();
    }

    /**
     * The exit code. It is met if a rate was found and confirmed, and missed if even the lowest rate failed. It is unsound
     * if Downbeat may have hidden a higher rate or nothing was certain.
     */
    public int exitCode() {
        if (capacity.isNoneSustained()) {
            return ExitCode.MISSED;
        }
        boolean found = capacity.sustainablePerSecond().isPresent();
        boolean doubt = !found
                || !capacity.isConfirmed()
                || capacity.undecidedByClient().isPresent();
        boolean isAccepted = acceptUnsound && (found || capacity.unmeasured().isEmpty());
        return doubt && !isAccepted ? ExitCode.UNSOUND : ExitCode.MET;
    }
}
