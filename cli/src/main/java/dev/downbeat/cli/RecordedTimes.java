package dev.downbeat.cli;

import dev.downbeat.arrival.Replay;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/** Reads recorded request times from files. Every refusal names the file and the line. */
final class RecordedTimes {
    private static final int MOST = 50_000_000;

    private long[] nanos = new long[1024];
    private int count;

    private RecordedTimes() {}

    private interface LineReader {
        long nanos(String line);
    }

    /** A file of offsets from the start, one a line, as durations such as {@code 1.5s}; empty lines and # are skipped. */
    static Replay offsets(Path file) throws IOException {
        return read(file, line -> DurationConverter.parse(line.strip()).toNanos())
                .replay();
    }

    /**
     * An access log: each line has its time in brackets, as in {@code [10/Oct/2025:13:55:36 +0000]}, or begins with an
     * ISO time stamp. The first time becomes the start. Logs with whole seconds would send each second's requests at
     * once, so those are spread evenly over their second.
     */
    static Replay accessLog(Path file) throws IOException {
        DateTimeFormatter common = DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT);
        RecordedTimes times = read(file, line -> stampNanos(line, common));
        Arrays.sort(times.nanos, 0, times.count);
        times.spreadWholeSeconds();
        times.startAtZero();
        return times.replay();
    }

    private static RecordedTimes read(Path file, LineReader reader) throws IOException {
        RecordedTimes times = new RecordedTimes();
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    times.add(nanosOf(line, file, number, reader));
                }
            }
        }
        if (times.count == 0) {
            throw new TypeConversionException(file + " has no times in it");
        }
        return times;
    }

    private static long nanosOf(String line, Path file, int number, LineReader reader) {
        try {
            return reader.nanos(line);
        } catch (TypeConversionException | DateTimeException | ArithmeticException broken) {
            throw new TypeConversionException(file + " line " + number + ": " + broken.getMessage());
        }
    }

    private void add(long value) {
        if (count == MOST) {
            throw new TypeConversionException("a recording may have at most " + MOST + " times");
        }
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, count * 2);
        }
        nanos[count++] = value;
    }

    private static long stampNanos(String line, DateTimeFormatter common) {
        int open = line.indexOf('[');
        int close = line.indexOf(']', open + 1);
        Instant instant;
        if (open >= 0 && close > open) {
            String stamp = line.substring(open + 1, close);
            instant = Character.isDigit(stamp.isEmpty() ? ' ' : stamp.charAt(0)) && stamp.indexOf('/') < 0
                    ? OffsetDateTime.parse(stamp).toInstant()
                    : OffsetDateTime.parse(stamp, common).toInstant();
        } else {
            int space = line.indexOf(' ');
            instant = OffsetDateTime.parse(space < 0 ? line : line.substring(0, space))
                    .toInstant();
        }
        return Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000_000L), instant.getNano());
    }

    private void spreadWholeSeconds() {
        long second = 1_000_000_000L;
        for (int i = 0; i < count; i++) {
            if (nanos[i] % second != 0) {
                return;
            }
        }
        int first = 0;
        while (first < count) {
            int next = first;
            while (next < count && nanos[next] == nanos[first]) {
                next++;
            }
            long start = nanos[first];
            for (int i = first; i < next; i++) {
                nanos[i] = start + second * (i - first) / (next - first);
            }
            first = next;
        }
    }

    private void startAtZero() {
        long start = nanos[0];
        for (int i = 0; i < count; i++) {
            nanos[i] -= start;
        }
    }

    private Replay replay() {
        return Replay.of(Arrays.copyOf(nanos, count));
    }
}
