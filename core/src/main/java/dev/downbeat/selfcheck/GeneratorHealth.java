package dev.downbeat.selfcheck;

/**
 * What this process and its machine went through during a run. Durations in nanoseconds; -1 where the platform does not
 * tell.
 *
 * @param wallNanos length of the observation
 * @param cpuNanos processor time of this process
 * @param largestHiccupNanos longest standstill of this process that was not its own work: a thread that should have
 *     woken each millisecond woke this much late
 * @param largestHiccupAtNanos when that standstill ended, from the start of the observation
 * @param hiccupNanos sum of all standstills above 10 ms
 * @param gcCount collections of the garbage collector
 * @param gcNanos time spent in them, as the JVM reports it
 * @param largestGcNanos the longest of them
 * @param stealNanos processor time that the hypervisor gave to others, over all cores of the machine
 */
public record GeneratorHealth(
        long wallNanos,
        long cpuNanos,
        long largestHiccupNanos,
        long largestHiccupAtNanos,
        long hiccupNanos,
        long gcCount,
        long gcNanos,
        long largestGcNanos,
        long stealNanos) {
    /** A client in virtual time: nothing happens to it. */
    public static final GeneratorHealth IDEAL = unknown(0);

    /** Whether it is that of a client in virtual time: no time passed. */
    public boolean isIdeal() {
        return wallNanos == 0;
    }

    /** Nothing was seen, and nobody knows what it used. */
    public static GeneratorHealth unknown(long wallNanos) {
        return new GeneratorHealth(wallNanos, -1, 0, 0, 0, 0, 0, 0, -1);
    }

    /** The same where a standstill is its callers' wait, which is counted, and no fault of the instrument: of a service. */
    public GeneratorHealth withoutHiccups() {
        return new GeneratorHealth(wallNanos, cpuNanos, 0, 0, 0, gcCount, gcNanos, largestGcNanos, stealNanos);
    }

    /** This and what was observed in a later time, put end to end. */
    public GeneratorHealth then(GeneratorHealth later) {
        boolean worse = later.largestHiccupNanos > largestHiccupNanos;
        return new GeneratorHealth(
                wallNanos + later.wallNanos,
                sum(cpuNanos, later.cpuNanos),
                Math.max(largestHiccupNanos, later.largestHiccupNanos),
                worse ? wallNanos + later.largestHiccupAtNanos : largestHiccupAtNanos,
                hiccupNanos + later.hiccupNanos,
                gcCount + later.gcCount,
                gcNanos + later.gcNanos,
                Math.max(largestGcNanos, later.largestGcNanos),
                sum(stealNanos, later.stealNanos));
    }

    /** This and what was observed of another process at the same time: the worst standstill, and all that was used. */
    public GeneratorHealth beside(GeneratorHealth other) {
        boolean worse = other.largestHiccupNanos > largestHiccupNanos;
        return new GeneratorHealth(
                Math.max(wallNanos, other.wallNanos),
                sum(cpuNanos, other.cpuNanos),
                Math.max(largestHiccupNanos, other.largestHiccupNanos),
                worse ? other.largestHiccupAtNanos : largestHiccupAtNanos,
                Math.max(hiccupNanos, other.hiccupNanos),
                gcCount + other.gcCount,
                gcNanos + other.gcNanos,
                Math.max(largestGcNanos, other.largestGcNanos),
                Math.max(stealNanos, other.stealNanos));
    }

    private static long sum(long told, long alsoTold) {
        return told < 0 || alsoTold < 0 ? -1 : told + alsoTold;
    }
}
