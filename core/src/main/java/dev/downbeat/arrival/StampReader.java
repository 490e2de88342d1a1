package dev.downbeat.arrival;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** Time stamp formats of access logs. In each pattern, group 2 is the fraction of the second. */
    private enum StampFormat {
        /** Common and combined log format: {@code [10/Oct/2000:13:55:36 -0700]}. */
        COMMON_LOG("\\[(\\d{2}/\\w{3}/\\d{4}:\\d{2}:\\d{2}:\\d{2} [+-]\\d{4})()\\]") {
            @Override
            long epochSecond(Matcher stamp) {
                return OffsetDateTime.parse(stamp.group(1), COMMON_LOG_STAMP).toEpochSecond();
            }
        },

        /** ISO 8601 with any time zone. The default is UTC; only differences matter. */
        ISO_8601("(\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2})(?:[.,](\\d{1,9}))?(Z|[+-]\\d{2}(?::?\\d{2})?)?") {
            @Override
            long epochSecond(Matcher stamp) {
                String zone = stamp.group(3);
                return LocalDateTime.parse(stamp.group(1).replace(' ', 'T'))
                        .toEpochSecond(zone == null ? ZoneOffset.UTC : ZoneOffset.of(zone));
            }
        },

        /** Seconds since 1970 with a fraction, nginx's {@code $msec}: {@code 1700000000.123}. */
        EPOCH_SECONDS("(?<![\\d.])(\\d{9,10})\\.(\\d{3,9})(?![\\d.])") {
            @Override
            long epochSecond(Matcher stamp) {
                return Long.parseLong(stamp.group(1));
            }
        };

        static final String EXAMPLES = "[10/Oct/2000:13:55:36 -0700], 2000-10-10T13:55:36.123Z or 1700000000.123";

        private static final DateTimeFormatter COMMON_LOG_STAMP = DateTimeFormatter.ofPattern(
                        "dd/MMM/uuuu:HH:mm:ss xx", Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT);

        private final Pattern pattern;

        StampFormat(String pattern) {
            this.pattern = Pattern.compile(pattern);
        }

        /** The format with the earliest match in the line. Later matches may be part of the request. */
        static Optional<StampFormat> in(String line) {
            return Arrays.stream(values())
                    .filter(format -> format.find(line).isPresent())
                    .min(Comparator.comparing(
                            format -> format.find(line).map(Matcher::start).orElse(Integer.MAX_VALUE)));
        }

        Optional<Matcher> find(String line) {
            Matcher matcher = pattern.matcher(line);
            return matcher.find() ? Optional.of(matcher) : Optional.empty();
        }

        /**
         * The instant in nanoseconds since 1970.
         *
         * @throws java.time.DateTimeException if there is no such date or time of day
         * @throws ArithmeticException if the instant does not fit a long
         */
        long epochNanos(Matcher stamp) {
            String fraction = (fraction(stamp) + "000000000").substring(0, 9);
            return Math.addExact(Math.multiplyExact(epochSecond(stamp), 1_000_000_000L), Long.parseLong(fraction));
        }

        /** The number of decimals of the second in the stamp. */
        static int decimals(Matcher stamp) {
            return fraction(stamp).length();
        }

        private static String fraction(Matcher stamp) {
            String fraction = stamp.group(2);
            return fraction == null ? "" : fraction;
        }

        abstract long epochSecond(Matcher stamp);
    }
}
