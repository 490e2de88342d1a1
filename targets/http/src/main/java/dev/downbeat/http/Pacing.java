package dev.downbeat.http;

/** How a lane waits for the next intended time while responses may arrive: what it costs, and how late it makes us. */
public enum Pacing {
    /**
     * Sleeps in the selector, and is woken for what is due by a second thread, since a selector waits in whole
     * milliseconds; spins only through the last 20 microseconds, which a wake-up would take longer than. Cheapest; requests
     * leave some tens of microseconds late.
     */
    BLOCK,
    /** Sleeps for whole milliseconds and spins away the rest. */
    HYBRID,
    /** Never sleeps: a core is spent for requests that leave within a microsecond or so. */
    SPIN;

    /** From which rate on a core is well spent on spinning: waits are shorter than a wake-up takes to be worth it. */
    private static final long SPIN_PER_SECOND = 2_000;

    /**
     * What suits a machine and a load.
     *
     * @param perSecond requests per second of one generator; 0 if not known
     * @param generators how many there are, at least 1
     * @param cores of the machine; spinning with too few would keep the service, or the JVM itself, from running
     */
    public static Pacing suited(long perSecond, int generators, int cores) {
        if (cores <= generators) {
            return BLOCK;
        }
        return perSecond >= SPIN_PER_SECOND ? SPIN : HYBRID;
    }
}
