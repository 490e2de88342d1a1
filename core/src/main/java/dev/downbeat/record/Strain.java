package dev.downbeat.record;

/**
 * What kept this process from its work during an interval, in nanoseconds. Of generators that run beside each other the
 * worst is told, of intervals that follow each other the sum. Immutable.
 *
 * @param runDelayNanos how long a generator's thread could have run and got no processor (Linux: {@code schedstat}, proc(5)), or
 *     ran later than it had asked to, whichever is more; -1 where the system does not say
 * @param hiccupNanos how much too late a thread of this process woke that sleeps a millisecond at a time, in all
 * @param gcNanos spent in collections that stop the process
 * @param fullNanos for how long no slot was free
 * @param busyNanos part of it in which the generator had something to do, so that answers waited for it; -1 if the target
 *     does not say
 * @param starvedNanos length of the intervals in which answers came and this process was too busy to read them: nothing or
 *     all of an interval that was not joined with others
 */
public record Strain(
        long runDelayNanos, long hiccupNanos, long gcNanos, long fullNanos, long busyNanos, long starvedNanos) {
    /** Nothing kept it from its work. */
    public static final Strain NONE = new Strain(0, 0, 0, 0, 0, 0);

    /** An interval is starved if this process was kept from its work for more than this share of it. */
    public static final double STARVED_SHARE = 0.05;

    /** With every slot in use, this share of the time at work is as good as all of it. */
    private static final double NEVER_IDLE_SHARE = 0.9;

    /** Whether who was at work for so long of the time in which no slot was free was so all the time, or as good as. */
    public static boolean isNeverIdle(long busyNanos, long fullNanos) {
        return busyNanos >= fullNanos * NEVER_IDLE_SHARE;
    }

    /** Whether in this interval, or in part of it, waits may have been for us. */
    public boolean isStarved() {
        return starvedNanos > 0;
    }

    /**
     * The same, judged.
     *
     * @param lengthNanos of the interval
     * @param answeringNanos the part of it in which answers came: where none come, nobody can be too busy to read them
     */
    public Strain judged(long lengthNanos, long answeringNanos) {
        long keptNanos = (runDelayNanos < 0 ? hiccupNanos : runDelayNanos) + gcNanos;
        boolean neverIdle =
                busyNanos >= 0 && fullNanos > answeringNanos * STARVED_SHARE && isNeverIdle(busyNanos, fullNanos);
        boolean starved = answeringNanos > 0 && (neverIdle || keptNanos > answeringNanos * STARVED_SHARE);
        return new Strain(runDelayNanos, hiccupNanos, gcNanos, fullNanos, busyNanos, starved ? lengthNanos : 0);
    }

    /** This and that of another generator or process at the same time: the worst of each. */
    public Strain beside(Strain other) {
        return new Strain(
                worst(runDelayNanos, other.runDelayNanos),
                Math.max(hiccupNanos, other.hiccupNanos),
                Math.max(gcNanos, other.gcNanos),
                Math.max(fullNanos, other.fullNanos),
                worst(busyNanos, other.busyNanos),
                Math.max(starvedNanos, other.starvedNanos));
    }

    /** This and what followed it. */
    public Strain then(Strain later) {
        return new Strain(
                sum(runDelayNanos, later.runDelayNanos),
                hiccupNanos + later.hiccupNanos,
                gcNanos + later.gcNanos,
                fullNanos + later.fullNanos,
                sum(busyNanos, later.busyNanos),
                starvedNanos + later.starvedNanos);
    }

    private static long worst(long told, long alsoTold) {
        return told < 0 || alsoTold < 0 ? -1 : Math.max(told, alsoTold);
    }

    private static long sum(long told, long alsoTold) {
        return told < 0 || alsoTold < 0 ? -1 : told + alsoTold;
    }
}
