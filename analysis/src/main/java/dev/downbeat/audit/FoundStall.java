package dev.downbeat.audit;

import java.util.Optional;

/**
 * A time in which requests were in flight and none was answered, or none of a part of them.
 *
 * @param fromNanos since the first start
 * @param untilNanos the first answer after it
 * @param stuck requests that were in flight for at least half of it
 * @param starts requests that were started in it nevertheless
 * @param lowRate starts per second before or after it, whichever is less
 * @param highRate whichever is more
 * @param isCertain whether so many requests cannot have been slow at once by chance, each for itself
 * @param part which part was hit; empty if nobody was answered
 */
public record FoundStall(
        long fromNanos,
        long untilNanos,
        long stuck,
        long starts,
        double lowRate,
        double highRate,
        boolean isCertain,
        Optional<StalledPart> part) {
    /** How long nobody was answered. */
    public long lengthNanos() {
        return untilNanos - fromNanos;
    }

    /** How many requests should have been started in it and were not, at least. */
    public long omitted() {
        return part.map(hit -> (long) hit.missing())
                .orElseGet(() -> Math.max(0, Math.round(lowRate * lengthNanos() / 1e9) - starts));
    }

    /** Whether so few requests were started in it that the tool waited, too. */
    public boolean isCoordinated() {
        return part.map(StalledPart::isWaiting)
                .orElseGet(() -> omitted() > 0 && starts < 0.75 * lowRate * lengthNanos() / 1e9);
    }
}
