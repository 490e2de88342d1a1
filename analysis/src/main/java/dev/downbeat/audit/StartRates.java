package dev.downbeat.audit;

/**
 * How many requests a second were started around a stall.
 *
 * @param low before or after it, whichever is less, and less by two standard errors
 * @param high whichever is more, and more by as much
 */
record StartRates(double low, double high) {
    private record Rate(long count, int bins, double seconds) {
        double low() {
            return seconds <= 0 ? 0 : Math.max(0, count - 2 * Math.sqrt((double) count)) / seconds;
        }

        double high() {
            return seconds <= 0 ? 0 : (count + 2 * Math.sqrt((double) count)) / seconds;
        }
    }

    /** Around a stall that no other one is near. */
    static StartRates around(Collected collected, long fromNanos, long untilNanos) {
        Timeline timeline = collected.timeline();
        return between(
                collected,
                timeline.binOf(fromNanos),
                timeline.binOf(untilNanos),
                timeline.binOf(collected.firstStartNanos()),
                timeline.binOf(collected.lastStartNanos()));
    }

    /**
     * Around a stall between two others.
     *
     * @param from its first bin
     * @param until the bin after its last
     * @param begin the first bin after the stall before
     * @param end the first bin of the next one
     */
    static StartRates between(Collected collected, int from, int until, int begin, int end) {
        Timeline timeline = collected.timeline();
        double perNano = (double) collected.count() / collected.lengthNanos();
        double length = (until - from) * (double) timeline.widthNanos();
        double span = Math.max(Math.max(2.0 * length, 5e8), 50 / perNano);
        int spanBins = (int) Math.min(timeline.bins(), Math.ceil(span / timeline.widthNanos()));
        Rate before = rate(timeline, Math.max(begin, from - spanBins), from);
        int settled = until + Math.min(until - from, Math.max(0, end - until) / 2);
        Rate after = rate(timeline, settled, Math.min(end, settled + spanBins));
        Rate one = before.bins() * 4 < after.bins() ? after : before;
        Rate other = after.bins() * 4 < before.bins() ? before : after;
        return new StartRates(Math.min(one.low(), other.low()), Math.max(one.high(), other.high()));
    }

    private static Rate rate(Timeline timeline, int from, int until) {
        int bins = Math.max(0, until - from);
        return new Rate(timeline.startsFrom(from, until), bins, bins * (timeline.widthNanos() / 1e9));
    }
}
