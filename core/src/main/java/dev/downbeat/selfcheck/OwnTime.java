package dev.downbeat.selfcheck;

/** Sources of delay that a measuring process can observe: running totals in nanoseconds. */
public interface OwnTime {
    /** No delays, as in virtual time. */
    OwnTime IDEAL = new OwnTime() {
        @Override
        public long runDelayNanos() {
            return 0;
        }

        @Override
        public long hiccupNanos() {
            return 0;
        }

        @Override
        public long gcNanos() {
            return 0;
        }
    };

    /** Time that this thread was runnable without a processor; -1 if the system does not report it. */
    long runDelayNanos();

    /** Total oversleep of a mostly sleeping thread of this process. */
    long hiccupNanos();

    /** Total time of stop-the-world collections. */
    long gcNanos();

    /** Total delay from all of these. */
    default long keptNanos() {
        long delayNanos = runDelayNanos();
        return (delayNanos < 0 ? hiccupNanos() : delayNanos) + gcNanos();
    }

    /** For a process whose threads are not Downbeat's. */
    static OwnTime ofThisProcess(HealthMonitor monitor) {
        return of(monitor, RunDelay.unknown());
    }

    /** For the calling thread. */
    static OwnTime ofThisThread(HealthMonitor monitor) {
        return of(monitor, RunDelay.ofThisThread());
    }

    private static OwnTime of(HealthMonitor monitor, RunDelay delay) {
        return new OwnTime() {
            @Override
            public long runDelayNanos() {
                return delay.nanos();
            }

            @Override
            public long hiccupNanos() {
                return monitor.hiccupNanos();
            }

            @Override
            public long gcNanos() {
                return monitor.gcNanos();
            }
        };
    }
}
