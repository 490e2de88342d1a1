package dev.downbeat.report.file;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.session.RecordedTimeline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;

/** Reads response times by end time from any tool's histogram log. */
public final class TimelineLog {
    private static final double NANOS_PER_MILLI = 1e6;

    private TimelineLog() {}

    /**
     * Reads a histogram log with times in nanoseconds. Untagged lines and those tagged {@code censored} count.
     *
     * @throws IOException if the file cannot be read
     * @throws IllegalArgumentException if it has too many requests
     */
    public static RecordedTimeline read(Path file) throws IOException {
        RecordedTimeline timeline = new RecordedTimeline();
        try (InputStream in = Files.newInputStream(file)) {
            read(in, timeline);
        }
        return timeline;
    }

    private static void read(InputStream in, RecordedTimeline timeline) {
        HistogramLogReader reader = new HistogramLogReader(in);
        double zero = -1;
        while (reader.hasNext()) {
            EncodableHistogram next = reader.nextIntervalHistogram();
            if (next == null) {
                return;
            }
            zero = zero < 0 ? next.getStartTimeStamp() : zero;
            boolean counts = next.getTag() == null || next.getTag().equals("censored");
            if (counts && next instanceof AbstractHistogram histogram) {
                timeline.add(
                        (long) ((next.getStartTimeStamp() - zero) * NANOS_PER_MILLI),
                        (long) ((next.getEndTimeStamp() - zero) * NANOS_PER_MILLI),
                        Distribution.of(histogram));
            }
        }
    }
}
