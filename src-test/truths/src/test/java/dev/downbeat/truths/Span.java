package dev.downbeat.truths;

/**
 * A period of a run, in nanoseconds from its start.
 *
 * @param fromNanos its first instant
 * @param toNanos the first instant after it; {@link Long#MAX_VALUE} if it does not end
 */
record Span(long fromNanos, long toNanos) {
    private static final double SECOND = 1e9;

    static Span ofSeconds(double from, double to) {
        return new Span(Math.round(from * SECOND), Math.round(to * SECOND));
    }

    static Span withoutEnd(double from) {
        return new Span(Math.round(from * SECOND), Long.MAX_VALUE);
    }

    boolean covers(long nanos) {
        return nanos >= fromNanos && nanos < toNanos;
    }

    double lengthSeconds() {
        return (toNanos - fromNanos) / SECOND;
    }
}
