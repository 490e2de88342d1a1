package dev.downbeat.http.wait;

/** How a lane waits for the next intended time while responses may arrive: what it costs, and how late it makes us. */
public enum Pacing {
    /**
     * Sleeps until just before the next request is due. On Java 22 and newer the kernel wakes us to the microsecond; before,
     * a second thread does, since a selector waits in whole milliseconds. Only the last 20 microseconds or so are spun
     * through. Cheapest; requests leave some microseconds late, some tens before Java 22.
     */
    BLOCK,
    /** Sleeps until 100 microseconds before, on Java before 22 for whole milliseconds, and spins away the rest. */
    HYBRID,
    /** Never sleeps: a core is spent for requests that leave within a microsecond or so. */
    SPIN;

    /** From which rate on a core is well spent on spinning: waits are shorter than a wake-up takes to be worth it. */
    private static final long SPIN_PER_SECOND = 2_000;

    /** On a machine with the service, so many cores for each generator that spins: what the service may use is measured. */
    private static final int CORES_BESIDE_SERVICE = 4;

    /**
     * What suits a machine and a load: a core is spun away only if it is spare.
     *
     * @param perSecond requests per second of one generator; 0 if not known
     * @param generators how many there are, at least 1
     * @param cores of the machine; spinning with too few would keep the service, or the JVM itself, from running
     * @param isLocal whether the service is on this machine, too
     */
    public static Choice suited(long perSecond, int generators, int cores, boolean isLocal) {
        if (perSecond >= SPIN_PER_SECOND) {
            boolean isSpare = isLocal ? cores >= CORES_BESIDE_SERVICE * generators : cores > generators;
            String spinning = "spinning would take " + generators + " of " + cores + (cores == 1 ? " core" : " cores");
            return isSpare
                    ? new Choice(SPIN, "at " + SPIN_PER_SECOND + "/s or more a thread, and cores to spare")
                    : new Choice(BLOCK, spinning + (isLocal ? ", and the service needs them, too" : ""));
        }
        return cores > generators
                ? new Choice(HYBRID, "below " + SPIN_PER_SECOND + "/s a thread, it pays to sleep")
                : new Choice(BLOCK, "no core to spare");
    }

    /**
     * A way to wait.
     *
     * @param reason why it was chosen, for the report
     */
    public record Choice(Pacing way, String reason) {}
}
