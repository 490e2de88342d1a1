package dev.downbeat.report.file;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.Deflater;

/**
 * Writes a distribution as a line of HdrHistogram's log, like its {@code HistogramLogWriter} but ten times as fast,
 * since that creates a full-range histogram for each line. Not thread-safe.
 */
final class LogLine {
    private static final int COMPRESSED_COOKIE = 0x1c849314;
    private static final int HEAD = 8;
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final ByteArrayOutputStream out;
    private final Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION);
    private byte[] compressed = new byte[1024];

    LogLine(ByteArrayOutputStream out) {
        this.out = out;
    }

    void untagged(Interval interval, Distribution times) {
        write("", interval, times);
    }

    /** Writes a tagged line, unless the distribution is empty. */
    void tagged(String tag, Interval interval, Distribution times) {
        if (!times.isEmpty()) {
            write("Tag=" + tag + ",", interval, times);
        }
    }

    private void write(String begin, Interval interval, Distribution times) {
        long[] greatest = {0};
        times.forEach((nanos, count) -> greatest[0] = nanos);
        double start = interval.startNanos() / 1e9;
        String line = String.format(
                Locale.US,
                "%s%.3f,%.3f,%.3f,%s\n",
                begin,
                start,
                interval.endNanos() / 1e9 - start,
                greatest[0] / NANOS_PER_MILLI,
                Base64.getEncoder().encodeToString(compressed(times.encoded())));
        out.writeBytes(line.getBytes(StandardCharsets.UTF_8));
    }

    private byte[] compressed(byte[] bytes) {
        deflater.reset();
        deflater.setInput(bytes);
        deflater.finish();
        int length = HEAD;
        while (!deflater.finished()) {
            if (length == compressed.length) {
                compressed = Arrays.copyOf(compressed, 2 * length);
            }
            length += deflater.deflate(compressed, length, compressed.length - length);
        }
        return ByteBuffer.allocate(length)
                .putInt(COMPRESSED_COOKIE)
                .putInt(length - HEAD)
                .put(compressed, HEAD, length - HEAD)
                .array();
    }

    /** Frees the compressor's memory. */
    void end() {
        deflater.end();
    }
}
