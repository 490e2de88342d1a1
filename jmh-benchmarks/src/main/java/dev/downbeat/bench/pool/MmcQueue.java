package dev.downbeat.bench.pool;

import java.util.Locale;

/**
 * The M/M/c queue: Poisson arrivals, exponential service times, c servers, one queue. Models a pool of c connections to a
 * service that is never the bottleneck, and a service that works on c requests at a time.
 *
 * <p>Formulas by Erlang (1917), as in Kleinrock, Queueing Systems I (1975), 3.5.
 *
 * @param arrivalsPerSecond above 0
 * @param meanServiceNanos above 0
 * @param servers at least 1
 */
record MmcQueue(double arrivalsPerSecond, long meanServiceNanos, int servers) {
    private static final double HIGHEST_LOAD = 0.8;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    MmcQueue {
        if (!(arrivalsPerSecond > 0) || meanServiceNanos < 1 || servers < 1) {
            throw new IllegalArgumentException("an M/M/c queue needs arrivals, service and servers above 0, but had "
                    + arrivalsPerSecond + "/s, " + meanServiceNanos + " ns, " + servers);
        }
    }

    /** Offered load in Erlang: the mean number of busy servers. */
    double erlangs() {
        return arrivalsPerSecond * meanServiceNanos / NANOS_PER_SECOND;
    }

    /**
     * The recommended number of servers: the mean number of busy ones divided by 0.8, and at least three more. Then at most one
     * request in five waits, and the queue stays stable if the service is 10 % slower than planned. With square-root staffing
     * (Halfin and Whitt 1981), 110 servers for 100 busy ones, it would not.
     */
    static int enoughFor(int busy) {
        return Math.max(busy + 3, (int) Math.ceil(busy / HIGHEST_LOAD));
    }

    /** Whether the queue is stable. */
    boolean isStable() {
        return erlangs() < servers;
    }

    /** Erlang's C: the share of requests that wait; 1 if unstable. */
    double waitProbability() {
        if (!isStable()) {
            return 1;
        }
        double blocked = 1; // Erlang's B by recursion, which neither overflows nor cancels
        for (int k = 1; k <= servers; k++) {
            blocked = erlangs() * blocked / (k + erlangs() * blocked);
        }
        return servers * blocked / (servers - erlangs() * (1 - blocked));
    }

    /** Mean wait of all requests; infinite if unstable. */
    double meanWaitNanos() {
        return isStable() ? waitProbability() * meanServiceNanos / (servers - erlangs()) : Double.POSITIVE_INFINITY;
    }

    /**
     * A percentile of the wait; infinite if unstable.
     *
     * @param percentile from 0 to below 100
     */
    double waitNanos(double percentile) {
        double longer = 1 - percentile / 100;
        double mustWait = waitProbability();
        if (!isStable()) {
            return Double.POSITIVE_INFINITY;
        }
        return mustWait <= longer ? 0 : Math.log(mustWait / longer) * meanServiceNanos / (servers - erlangs());
    }

    /**
     * Prints a table: {@code java -cp benchmarks.jar dev.downbeat.bench.pool.MmcQueue RATE MEAN_MILLIS SERVERS...}.
     */
    public static void main(String[] args) {
        System.out.printf(Locale.ROOT, "%8s %8s %8s %12s %12s%n", "servers", "load", "waits", "mean wait", "p99 wait");
        for (int i = 2; i < args.length; i++) {
            MmcQueue queue = new MmcQueue(
                    Double.parseDouble(args[0]),
                    Math.round(Double.parseDouble(args[1]) * NANOS_PER_MILLI),
                    Integer.parseInt(args[i]));
            System.out.printf(
                    Locale.ROOT,
                    "%8d %7.1f%% %7.1f%% %9.3f ms %9.3f ms%n",
                    queue.servers(),
                    100 * queue.erlangs() / queue.servers(),
                    100 * queue.waitProbability(),
                    queue.meanWaitNanos() / NANOS_PER_MILLI,
                    queue.waitNanos(99) / NANOS_PER_MILLI);
        }
    }
}
