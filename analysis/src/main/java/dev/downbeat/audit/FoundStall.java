package dev.downbeat.audit;

import java.util.List;
import java.util.Optional;

/**
 * A period in which requests were in flight and none, or none of one part, was answered.
 *
 * @param fromNanos start, from the first request
 * @param untilNanos the first response after it
 * @param stuck requests in flight for at least half of the period
 * @param starts requests that nevertheless started during it
 * @param lowRate the lower of the start rates before and after it, per second
 * @param highRate the higher of the two
 * @param isCertain whether so many simultaneous slow requests cannot be chance
 * @param part the part of the users that was affected; empty if no request was answered
 */
public record FoundStall(
        long fromNanos,
        long untilNanos,
        long stuck,
        long starts,
        double lowRate,
        double highRate,
        boolean isCertain,
        Optional<Part> part) {
    /** Length of the period. */
    public long lengthNanos() {
        return untilNanos - fromNanos;
    }

    /** Lower bound of the requests that should have started during the stall and did not. */
    public long omitted() {
        return part.map(hit -> (long) hit.missing())
                .orElseGet(() -> Math.max(0, Math.round(lowRate * lengthNanos() / 1e9) - starts));
    }

    /** Whether so few requests started during the stall that the tool must have waited for responses. */
    public boolean isCoordinated() {
        return part.map(Part::isWaiting)
                .orElseGet(() -> omitted() > 0 && starts < 0.75 * lowRate * lengthNanos() / 1e9);
    }

    /**
     * The users affected by a stall of one part of the service.
     *
     * @param users affected users with a request in flight; 0 if the file does not identify users
     * @param ofUsers all users
     * @param waitNanos duration of each stuck request
     * @param missing lower bound of the requests that these users did not send meanwhile
     * @param isWaiting whether the tool is a closed loop, so that requests can be missing
     */
    public record Part(int users, int ofUsers, List<Long> waitNanos, double missing, boolean isWaiting) {
        public Part {
            waitNanos = List.copyOf(waitNanos);
        }
    }
}
