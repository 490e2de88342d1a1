package dev.downbeat.why;

/**
 * A processor on paper that is not always there.
 *
 * @param stops when nothing is done
 * @param slow when a tenth of what else would be
 */
record UnsteadyProcessor(Spans stops, Spans slow) {
    /** When work that begins then has been done. */
    long worked(long from, double workNanos) {
        long at = from;
        double left = workNanos;
        while (true) {
            int stop = stops.firstAfter(at);
            if (stop < stops.count() && stops.from(stop) <= at) {
                at = stops.to(stop);
                continue;
            }
            int spell = slow.firstAfter(at);
            boolean isSlow = spell < slow.count() && slow.from(spell) <= at;
            long until = stop < stops.count() ? stops.from(stop) : Long.MAX_VALUE;
            if (spell < slow.count()) {
                until = Math.min(until, isSlow ? slow.to(spell) : slow.from(spell));
            }
            double speed = isSlow ? 0.1 : 1;
            if (left <= speed * (until - at)) {
                return at + (long) Math.ceil(left / speed);
            }
            left -= speed * (until - at);
            at = until;
        }
    }
}
