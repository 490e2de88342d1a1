package dev.downbeat.event;

import dev.downbeat.run.RunResult;
import java.util.List;

/**
 * How a service came back after it had stalled: when it answers again, what has piled up must be worked off before
 * response times are as usual. Seen from the outside; without a watch of the answers, to the length of the run's intervals.
 *
 * @param stall the incident
 * @param stallNanos how long the service stalled
 * @param leastNanos from the end of the stall to when the last slow request had ended, at least
 * @param mostNanos the same, at most
 */
public record Recovery(Incident stall, long stallNanos, long leastNanos, long mostNanos) {
    /** The stalls of the service in a run, and the times in which it was slow as after one, in their order; those of this process are none. */
    public static List<Recovery> of(RunResult result, List<Incident> events) {
        return events.stream()
                .filter(incident -> incident.cause() == Incident.Cause.SERVICE_STALL
                        || incident.cause() == Incident.Cause.SERVICE_SLOW)
                .map(stall -> of(stall, result))
                .toList();
    }

    private static Recovery of(Incident stall, RunResult result) {
        long stepNanos = result.plan().intervalNanos();
        if (result.interruptions().isWatched() && stall.cause() == Incident.Cause.SERVICE_STALL) {
            return new Recovery(stall, stall.lengthNanos(), stall.catchUpNanos(), stall.catchUpNanos());
        }
        long afterNanos = Math.max(0, stall.lengthNanos() - stall.slowestNanos());
        return new Recovery(
                stall, stall.slowestNanos(), Math.max(0, afterNanos - stepNanos), Math.max(stepNanos, afterNanos));
    }
}
