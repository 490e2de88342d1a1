package dev.downbeat.run;

/**
 * Time without a free slot, and the generators' activity in it. If they were busy throughout, responses waited for
 * Downbeat, not the reverse. Nanoseconds, summed over the generators.
 *
 * @param nanos time without a free slot
 * @param busyNanos part of it with work for the generator; -1 if the target's lanes do not report it
 */
public record Saturation(long nanos, long busyNanos) {
    /** A slot was always free. */
    public static final Saturation NONE = new Saturation(0, 0);

    /** The sum of both. */
    public Saturation plus(Saturation other) {
        boolean told = busyNanos >= 0 && other.busyNanos >= 0;
        return new Saturation(nanos + other.nanos, told ? busyNanos + other.busyNanos : -1);
    }
}
