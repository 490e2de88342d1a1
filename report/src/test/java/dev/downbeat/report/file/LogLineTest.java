package dev.downbeat.report.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.HistogramLogFile.LogLine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LogLineTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void a_line_is_what_HdrHistogram_writes(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ByteArrayOutputStream theirs = new ByteArrayOutputStream();
        ByteArrayOutputStream ours = new ByteArrayOutputStream();
        HistogramLogWriter writer = new HistogramLogWriter(new PrintStream(theirs, true, StandardCharsets.UTF_8));
        LogLine line = new LogLine(ours);
        for (int round = 0; round < 20; round++) {
            Histogram histogram = Distribution.newHistogram();
            int count = round == 0 ? 0 : random.nextInt(1, 3_000);
            for (int i = 0; i < count; i++) {
                long nanos = Math.min(Distribution.MAX_NANOS, random.nextLong(1L << random.nextInt(1, 50)));
                histogram.recordValueWithCount(nanos, random.nextLong(1, 1L << random.nextInt(1, 40)));
            }
            histogram.setTag(random.nextBoolean() && count > 0 ? "request:a" + round : null);
            long start = random.nextLong(1L << 40);
            Interval interval = new Interval(start, start + 1 + random.nextLong(1L << 40), Recording.empty());
            Distribution times = Distribution.of(histogram);
            writer.outputIntervalHistogram(
                    interval.startNanos() / 1e9, interval.endNanos() / 1e9, histogram, 1_000_000.0);
            if (histogram.getTag() == null) {
                line.untagged(interval, times);
            } else {
                line.tagged(histogram.getTag(), interval, times);
            }
        }
        line.tagged("nothing", new Interval(0, 1, Recording.empty()), Distribution.empty());
        line.end();
        assertThat(ours.toString(StandardCharsets.UTF_8)).isEqualTo(theirs.toString(StandardCharsets.UTF_8));
    }
}
