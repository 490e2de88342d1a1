package dev.downbeat.audit;

/**
 * Start rates around a stall, per second.
 *
 * @param low the lower of the rates before and after, less two standard errors
 * @param high the higher of the two, plus two standard errors
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

    /** The rates around an isolated stall. */
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
     * The rates around a stall between two others.
     *
     * @param from its first bin
     * @param until the bin after its last
     * @param begin the first bin after the previous stall
     * @param end the first bin of the next stall
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
