package dev.downbeat.loopback.options;

/**
 * Instances that are started when requests come, as those of a function. Each serves one request at a time. Immutable.
 *
 * @param most how many there are at most, 1 to 100,000
 * @param coldNanos how long the start of one takes, up to 24 h; 0 if the server has no instances at all
 * @param idleNanos how long one without a request stays, 1 ns to 24 h
 */
public record Instances(int most, long coldNanos, long idleNanos) {
    /** A server without instances, which is always there. */
    public static final Instances NONE = new Instances(1_000, 0, Durations.LONGEST_NANOS);

    public Instances {
        if (most < 1 || most > 100_000) {
            throw new IllegalArgumentException("instances must be from 1 to 100000, but was " + most);
        }
        Durations.check("cold", coldNanos, 0);
        Durations.check("scale-to-zero", idleNanos, 1);
        if (coldNanos == 0 && (most != 1_000 || idleNanos != Durations.LONGEST_NANOS)) {
            throw new IllegalArgumentException(
                    "instances and scale-to-zero say which starts there are but not how long they take: add cold");
        }
    }

    public boolean areAny() {
        return coldNanos > 0;
    }
}
