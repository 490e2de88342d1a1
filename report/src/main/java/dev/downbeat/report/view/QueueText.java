package dev.downbeat.report.view;

import dev.downbeat.report.data.Numbers;
import dev.downbeat.simulate.QueueLengths;
import java.util.List;
import java.util.Locale;

/** The queue of a simulated service, in words and as a chart of one line. */
record QueueText(QueueLengths queue, long loadNanos) {
    private static final int COLUMNS = 40;
    private static final String BARS = "._-:=+*#%@";

    String sentence() {
        if (queue.most() == 0) {
            return "none: every request that was sent found a server free";
        }
        String text = String.format(
                Locale.ROOT,
                "%,.1f waited for a server on average, %,d at most (at %s)",
                queue.mean(),
                queue.most(),
                Numbers.seconds(queue.mostAtNanos()));
        if (loadNanos == Long.MAX_VALUE) {
            return text;
        }
        text += ", " + Numbers.count(queue.atEndOfLoad()) + " when the load ended";
        return queue.grows(loadNanos)
                ? text + ": it grew by " + Numbers.rate(queue.growthPerSecond()) + ", more than is answered"
                : text;
    }

    /** The longest queue of each part of the run, relative to the longest of all. */
    String chart() {
        List<QueueLengths.Stretch> stretches = queue.stretches();
        int columns = Math.min(COLUMNS, stretches.size());
        StringBuilder bars = new StringBuilder();
        for (int column = 0; column < columns; column++) {
            int from = column * stretches.size() / columns;
            int to = (column + 1) * stretches.size() / columns;
            long most = 0;
            for (QueueLengths.Stretch stretch : stretches.subList(from, to)) {
                most = Math.max(most, stretch.most());
            }
            bars.append(BARS.charAt(height(most)));
        }
        long endNanos =
                stretches.isEmpty() ? 0 : stretches.get(stretches.size() - 1).endNanos();
        return bars + " to " + Numbers.seconds(endNanos);
    }

    private int height(long length) {
        return queue.most() == 0 ? 0 : (int) (length * (BARS.length() - 1) / queue.most());
    }
}
