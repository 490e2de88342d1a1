package dev.downbeat.arrival;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.stream.LongStream;

/**
 * Reads the stamps of an access log. The first line determines the format. The resolution is the finest in the file,
 * since some loggers omit trailing zeros.
 */
final class StampReader {
    private final String name;
    private final LongStream.Builder stamps = LongStream.builder();
    private Optional<StampFormat> format = Optional.empty();
    private int decimals;

    private StampReader(String name) {
        this.name = name;
    }

    static long[] read(BufferedReader lines, String name) throws IOException {
        StampReader log = new StampReader(name);
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (!line.isBlank() && !line.startsWith("#")) {
                log.add(line, number);
            }
        }
        long resolutionNanos = 1_000_000_000;
        for (int i = 0; i < log.decimals; i++) {
            resolutionNanos /= 10;
        }
        return spread(log.stamps.build().sorted().toArray(), resolutionNanos, name);
    }

    private void add(String line, int number) {
        format = format.or(() -> StampFormat.in(line));
        Optional<Matcher> stamp = format.flatMap(known -> known.find(line));
        if (stamp.isEmpty()) {
            throw BadLine.of(name, number, expected(), line);
        }
        try {
            stamps.add(format.orElseThrow().epochNanos(stamp.get()));
        } catch (DateTimeException | ArithmeticException noInstant) {
            IllegalArgumentException bad = BadLine.of(name, number, "a date that exists before 2262", line);
            bad.initCause(noInstant);
            throw bad;
        }
        decimals = Math.max(decimals, StampFormat.decimals(stamp.get()));
    }

    private String expected() {
        String kind = format.map(known -> " in the format of the first line").orElse("");
        return "a time stamp" + kind + ", such as " + StampFormat.EXAMPLES;
    }

    /** Converts sorted stamps to offsets. Equal stamps are spaced evenly over their second, or over the resolution. */
    private static long[] spread(long[] sorted, long resolutionNanos, String name) {
        long[] offsets = new long[sorted.length];
        int from = 0;
        while (from < sorted.length) {
            int to = from;
            while (to < sorted.length && sorted[to] == sorted[from]) {
                to++;
            }
            for (int i = from; i < to; i++) {
                long shareNanos = resolutionNanos * (i - from) / (to - from);
                offsets[i] = offset(sorted, i, shareNanos, name);
            }
            from = to;
        }
        return offsets;
    }

    private static long offset(long[] sorted, int i, long shareNanos, String name) {
        try {
            return Math.addExact(Math.subtractExact(sorted[i], sorted[0]), shareNanos);
        } catch (ArithmeticException tooLong) {
            throw new IllegalArgumentException(name + ": time stamps must lie within 292 years of each other", tooLong);
        }
    }
}
