package dev.downbeat.verdict;

import dev.downbeat.run.RunResult;
import java.util.List;

/**
 * How a service came back after it had stood still: when it answers again, what has piled up must be worked off before
 * response times are as usual. Seen from the outside, to the length of the run's intervals.
 *
 * @param stall the incident
 * @param leastNanos from the end of the stall to when the last slow request had ended, at least
 * @param mostNanos the same, at most
 */
public record Recovery(Incident stall, long leastNanos, long mostNanos) {
    /** The stalls of the service in a run, in their order; those of this process are none. */
    public static List<Recovery> of(RunResult result) {
        long stepNanos = result.plan().intervalNanos();
        return Incidents.of(result).stream()
                .filter(incident -> incident.cause() == Incident.Cause.SERVICE_STALL)
                .map(stall -> of(stall, stepNanos))
                .toList();
    }

    private static Recovery of(Incident stall, long stepNanos) {
        long afterNanos = Math.max(0, stall.lengthNanos() - stall.slowestNanos());
        return new Recovery(stall, Math.max(0, afterNanos - stepNanos), Math.max(stepNanos, afterNanos));
    }

    /** How long the service stood still: the longest that a request had to wait for it. */
    public long stallNanos() {
        return stall.slowestNanos();
    }
}
