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
 * Detects when a control group was throttled. The kernel adds each period to a total at its end. The growth is
 * therefore its length, and the sample that sees it marks its end. Times of several processors are summed, so a period
 * is never reported to begin before the previous one ended.
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
     * Creates a sampler of a total.
     *
     * @param file a file like cpu.stat
     * @param word the word before the number
     * @param unitNanos the unit of the number
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
