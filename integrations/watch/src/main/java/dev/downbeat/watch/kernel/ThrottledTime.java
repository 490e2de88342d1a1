package dev.downbeat.watch.kernel;

import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.Sampler;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * When a control group was not let run. The kernel adds the whole of each such time to its total when it is over, so the growth
 * tells how long it was, and the look that finds it when it ended. Of several processors it adds up theirs: no such time is said
 * to have begun before the one before was over.
 */
final class ThrottledTime implements Sampler {
    private static final long LEAST_NANOS = 1_000_000;

    private record Span(long from, long to) {}

    private final KernelFile file;
    private final String word;
    private final long unitNanos;
    private final List<Span> spans = new ArrayList<>();
    private long lastAt;
    private long last = -1;
    private long overAt = Long.MIN_VALUE;

    /**
     * A total.
     *
     * @param file like cpu.stat
     * @param word before it
     * @param unitNanos what it counts
     */
    ThrottledTime(KernelFile file, String word, long unitNanos) {
        this.file = file;
        this.word = word;
        this.unitNanos = unitNanos;
    }

    @Override
    public void sample(long now) throws IOException {
        long total = file.after(word, "");
        if (last >= 0 && total > last) {
            long to = lastAt + (now - lastAt) / 2;
            long from = Math.max(overAt, to - (total - last) * unitNanos);
            if (to - from >= LEAST_NANOS && spans.size() < EventLog.MOST) {
                spans.add(new Span(from, to));
            }
            overAt = to;
        }
        last = total;
        lastAt = now;
    }

    @Override
    public List<Event> events() {
        long longest =
                spans.stream().mapToLong(span -> span.to - span.from).max().orElse(0);
        String detail = String.format(Locale.ROOT, "up to %.0f ms at a time", longest / 1e6);
        return spans.stream()
                .map(span -> new Event(EventKind.THROTTLED, span.from, span.to - span.from, detail))
                .toList();
    }

    @Override
    public void close() {
        file.close();
    }
}
