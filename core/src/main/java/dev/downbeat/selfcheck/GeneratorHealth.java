package dev.downbeat.selfcheck;

import java.util.OptionalDouble;

/**
 * The condition of this process and its machine during a run. Durations in nanoseconds; -1 where the platform does not
 * report them.
 *
 * @param wallNanos length of the observation
 * @param cpuNanos processor time of this process
 * @param largestHiccupNanos longest pause of this process that was not its own work: the maximum oversleep of a thread
 *     that sleeps for 1 ms at a time
 * @param largestHiccupAtNanos end of that pause, from the start of the observation
 * @param hiccupNanos sum of all pauses above 10 ms
 * @param gcCount number of garbage collections
 * @param gcNanos time in collections, as reported by the JVM
 * @param largestGcNanos the longest collection
 * @param stealNanos processor time that the hypervisor gave to other guests, over all cores
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
    /** A client in virtual time, without any delays. */
    public static final GeneratorHealth IDEAL = unknown(0);

    /** Whether this is a client in virtual time: no time passed. */
    public boolean isIdeal() {
        return wallNanos == 0;
    }

    /** The processors in use on average; empty if unknown. */
    public OptionalDouble cores() {
        return cpuNanos < 0 || wallNanos == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) cpuNanos / wallNanos);
    }

    /** Nothing was observed, and its use of resources is unknown. */
    public static GeneratorHealth unknown(long wallNanos) {
        return new GeneratorHealth(wallNanos, -1, 0, 0, 0, 0, 0, 0, -1);
    }

    /** Whether nothing was observed, as of a run that was cut off or goes on. */
    public boolean isUnknown() {
        return !isIdeal() && equals(unknown(wallNanos));
    }

    /**
     * A copy without pauses, for a service: its pauses are part of its callers' wait, not a fault of the instrument.
     */
    public GeneratorHealth withoutHiccups() {
        return new GeneratorHealth(wallNanos, cpuNanos, 0, 0, 0, gcCount, gcNanos, largestGcNanos, stealNanos);
    }

    /** Combines this with a later observation. */
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

    /** Combines this with a concurrent observation of another process: the longer pauses, and the sum of its resources. */
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

    private static long sum(long one, long other) {
        return one < 0 || other < 0 ? -1 : one + other;
    }
}
