package dev.downbeat.http.wait;

/**
 * How a lane waits for the next intended start while responses may arrive: the trade-off between processor time and
 * lateness.
 */
public enum Pacing {
    /**
     * Sleeps until just before the next request is due. On Java 22 and newer the kernel wakes the thread with
     * microsecond precision; earlier versions need a second thread, because a selector waits in whole milliseconds.
     * Only the last 20 microseconds or so are spun. Cheapest; requests are a few microseconds late, tens of
     * microseconds before Java 22.
     */
    BLOCK,
    /** Sleeps until 100 microseconds before, by the same means as {@link #BLOCK}, then spins. */
    HYBRID,
    /** Never sleeps: occupies a core so that requests leave within about a microsecond. */
    SPIN;

    /** From this rate on, spinning is worth a core, because waits are too short for a wake-up to pay off. */
    private static final long SPIN_PER_SECOND = 2_000;

    /**
     * On the service's own machine, the number of cores per spinning generator: the service's share is what is being
     * measured.
     */
    private static final int CORES_BESIDE_SERVICE = 4;

    /**
     * The best choice for a machine and a load: it spins only on spare cores.
     *
     * @param perSecond requests per second of one generator; 0 if unknown
     * @param generators number of generators, at least 1
     * @param cores cores of the machine; with too few, spinning would starve the service or the JVM
     * @param isLocal whether the service is on the same machine
     */
    public static Choice suited(long perSecond, int generators, int cores, boolean isLocal) {
        if (perSecond >= SPIN_PER_SECOND) {
            boolean isSpare = isLocal ? cores >= CORES_BESIDE_SERVICE * generators : cores > generators;
            String spinning = "spinning would take " + generators + " of " + cores + (cores == 1 ? " core" : " cores");
            return isSpare
                    ? new Choice(SPIN, "at " + SPIN_PER_SECOND + "/s or more per thread, with cores to spare")
                    : new Choice(BLOCK, spinning + (isLocal ? ", and the service needs them, too" : ""));
        }
        return cores > generators
                ? new Choice(HYBRID, "below " + SPIN_PER_SECOND + "/s per thread, so sleeping pays off")
                : new Choice(BLOCK, "no core to spare");
    }

    /**
     * A pacing choice.
     *
     * @param reason the reason, for the report
     */
    public record Choice(Pacing way, String reason) {}
}
