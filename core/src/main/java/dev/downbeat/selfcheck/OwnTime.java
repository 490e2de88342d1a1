package dev.downbeat.selfcheck;

/** What whoever measures can learn of what keeps it from its work: sums of nanoseconds since some beginning. */
public interface OwnTime {
    /** Nothing ever does, as in virtual time. */
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

    /** For how long this thread could have run and got no processor; -1 if the system does not say. */
    long runDelayNanos();

    /** By how much a thread of this process that sleeps most of the time woke too late. */
    long hiccupNanos();

    /** For how long collections stopped this process. */
    long gcNanos();

    /** For how long it was kept from its work, by all of these. */
    default long keptNanos() {
        long delayNanos = runDelayNanos();
        return (delayNanos < 0 ? hiccupNanos() : delayNanos) + gcNanos();
    }

    /** That of a process whose threads are not ours. */
    static OwnTime ofThisProcess(HealthMonitor monitor) {
        return of(monitor, RunDelay.unknown());
    }

    /** That of the calling thread. */
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
