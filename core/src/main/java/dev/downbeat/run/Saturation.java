package dev.downbeat.run;

/**
 * For how long no slot was free, and what the generators did meanwhile: if they were busy all the time, answers waited for
 * us and not we for answers. Nanoseconds, summed over the generators.
 *
 * @param nanos how long no slot was free
 * @param busyNanos part of it in which the generator had something to do; -1 if the target's lanes do not tell
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
