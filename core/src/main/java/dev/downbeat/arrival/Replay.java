package dev.downbeat.arrival;

import dev.downbeat.time.DurationText;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Arrivals at recorded times, in ascending order. Long recordings are read on demand. */
public final class Replay implements ArrivalProcess {
    /** Times read per call, a few microseconds of file access. */
    private static final int BLOCK = 256;

    /** Characters of an unreadable line that an error shows. */
    private static final int LONGEST_SHOWN_LINE = 120;

    private static final String STAMP =
            "a valid time stamp before 2262, such as [10/Oct/2000:13:55:36 -0700], 2000-10-10T13:55:36.123Z or 1700000000.123";

    private final RecordedTimes recorded;
    private final long numerator;
    private final long denominator;

    private Replay(RecordedTimes recorded, long numerator, long denominator) {
        this.recorded = recorded;
        this.numerator = numerator;
        this.denominator = denominator;
    }

    /** Arrivals at times that are stored elsewhere. */
    public static Replay of(RecordedTimes recorded) {
        return new Replay(recorded, 1, 1);
    }

    /** Arrivals at these offsets from the start of the run, in nanoseconds, at least 0 and in any order. */
    public static Replay of(long... offsetsNanos) {
        long[] sorted = offsetsNanos.clone();
        Arrays.sort(sorted);
        if (sorted.length > 0 && sorted[0] < 0) {
            throw new IllegalArgumentException("offsetsNanos must be at least 0, but one was " + sorted[0]);
        }
        return of(new RecordedTimes.Kept(sorted));
    }

    /**
     * Reads offsets from the start of the run, one per line: seconds such as {@code 0.0015}, or a number with a unit
     * such as {@code 1500us} or {@code 1.5 ms} (ns, us, ms, s, m, h). Digits below a nanosecond are truncated. {@code
     * #} starts a comment; empty lines and the order of lines are ignored.
     *
     * @param lines the source, read to its end; not closed
     * @param name the name used in error messages, such as the file name
     * @return the process
     * @throws IllegalArgumentException if a line is not an offset or there are none; the message names the line
     * @throws IOException if reading fails
     */
    public static Replay readOffsets(BufferedReader lines, String name) throws IOException {
        return atLeastOne(of(OffsetLines.read(lines, name)), name);
    }

    /**
     * Reads the time stamps of an access log, as {@link LogStamps} finds them. The earliest stamp becomes offset 0. Logs
     * are ordered by the end of requests, so lines may be out of order. Empty lines and lines that start with {@code #} are
     * ignored.
     *
     * <p>Lines with equal stamps are spread evenly over the second, or over the resolution of the stamps. The log has
     * lost their exact instants. Starting them together would invent a burst every second.
     *
     * @param lines the source, read to its end; not closed
     * @param name the name used in error messages, such as the file name
     * @return the process
     * @throws IllegalArgumentException if a line has no time stamp or there are none; the message names the line
     * @throws IOException if reading fails
     */
    public static Replay readAccessLog(BufferedReader lines, String name) throws IOException {
        LongStream.Builder found = LongStream.builder();
        LogStamps stamps = new LogStamps();
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            byte[] text = line.getBytes(StandardCharsets.ISO_8859_1);
            if (number == 1) {
                LogStamps.refuseCompressed(name, text);
            }
            long nanos = stamps.stamp(text, 0, text.length);
            if (nanos == LogStamps.NONE) {
                throw badLine(name, number, STAMP, line);
            }
            found.add(nanos);
        }
        return atLeastOne(of(spread(found.build().sorted().toArray(), stamps.resolutionNanos(), name)), name);
    }

    private static Replay atLeastOne(Replay replay, String name) {
        if (replay.count() == 0) {
            throw new IllegalArgumentException(name + ": expected at least 1 recorded time, but found 0");
        }
        return replay;
    }

    /**
     * The same arrivals at a different speed: the rate is multiplied by a fraction, and every offset is divided by it.
     * Offsets that no longer fit a long are never reached.
     *
     * @param numerator at least 1; greater than {@code denominator} to speed up
     * @param denominator at least 1
     * @return a new process
     * @throws IllegalArgumentException if an argument is out of range
     */
    public Replay scaled(long numerator, long denominator) {
        if (numerator < 1 || denominator < 1) {
            throw new IllegalArgumentException(
                    "factor must be at least 1 over at least 1, but was " + numerator + "/" + denominator);
        }
        if (!(recorded instanceof RecordedTimes.Kept kept)) {
            return new Replay(
                    recorded,
                    Math.multiplyExact(this.numerator, numerator),
                    Math.multiplyExact(this.denominator, denominator));
        }
        return of(new RecordedTimes.Kept(Arrays.stream(kept.offsetsNanos())
                .map(nanos -> scaled(nanos, numerator, denominator))
                .toArray()));
    }

    private static long scaled(long nanos, long numerator, long denominator) {
        if (Math.multiplyHigh(nanos, denominator) == 0 && nanos * denominator >= 0) {
            return nanos * denominator / numerator;
        }
        return BigInteger.valueOf(nanos)
                .multiply(BigInteger.valueOf(denominator))
                .divide(BigInteger.valueOf(numerator))
                .min(BigInteger.valueOf(IntendedTimes.END))
                .longValueExact();
    }

    /** The number of recorded arrivals. */
    public int count() {
        return recorded.count();
    }

    public RecordedTimes recorded() {
        return recorded;
    }

    /** The numerator of the factor that offsets are divided by; {@link #denominator} is the other half. */
    public long numerator() {
        return numerator;
    }

    /** The denominator of the factor; see {@link #numerator}. */
    public long denominator() {
        return denominator;
    }

    @Override
    public IntendedTimes times(int share, int shares) {
        Shares.check(share, shares);
        return new Times(share, shares);
    }

    @Override
    public String kind() {
        return "replay";
    }

    @Override
    public String describe() {
        return String.format(Locale.ROOT, "replay of %,d recorded time%s", count(), count() == 1 ? "" : "s");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Replay replay
                && recorded.count() == replay.recorded.count()
                && recorded.digest() == replay.recorded.digest()
                && numerator == replay.numerator
                && denominator == replay.denominator;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(recorded.digest());
    }

    @Override
    public String toString() {
        return describe();
    }

    private final class Times implements IntendedTimes {
        private final RecordedTimes.Reader reader = recorded.reader();
        private final long[] block = new long[Math.max(1, Math.min(BLOCK, recorded.count()))];
        private final int step;
        private long from;
        private long until;
        private long next;
        private long index = -1;

        Times(int share, int shares) {
            this.step = shares;
            this.next = share;
        }

        @Override
        public long nextNanos() {
            if (next >= recorded.count()) {
                return END;
            }
            if (next >= until) {
                from = next;
                until = next + reader.read((int) next, block);
                if (next >= until) {
                    return END;
                }
            }
            long nanos = scaled(block[(int) (next - from)], numerator, denominator);
            if (nanos == END) {
                return END;
            }
            index = next;
            next += step;
            return nanos;
        }

        @Override
        public long index() {
            return index;
        }
    }

    /** Reads recorded offsets, one per line. */
    private static final class OffsetLines {
        private static final Pattern OFFSET =
                Pattern.compile("(\\d{1,18}(?:\\.\\d{1,30})?(?:[eE][+-]?\\d{1,2})?)\\s*(ns|us|µs|ms|s|m|h)?");

        /** Written by editors of Windows. */
        private static final String BYTE_ORDER_MARK = "\uFEFF";

        private OffsetLines() {}

        static long[] read(BufferedReader lines, String name) throws IOException {
            LongStream.Builder offsets = LongStream.builder();
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                String text =
                        withoutComment(number == 1 && line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line);
                if (!text.isEmpty()) {
                    offsets.add(nanos(text, name, number));
                }
            }
            return offsets.build().toArray();
        }

        private static String withoutComment(String line) {
            int comment = line.indexOf('#');
            return (comment < 0 ? line : line.substring(0, comment)).strip();
        }

        private static long nanos(String text, String name, int number) {
            Matcher offset = OFFSET.matcher(text);
            if (!offset.matches()) {
                throw badLine(name, number, "an offset such as 0.0015, 1500us or 1.5 ms", text);
            }
            String unit = offset.group(2) == null ? "s" : offset.group(2);
            return new BigDecimal(offset.group(1))
                    .multiply(BigDecimal.valueOf(DurationText.parseNanos("1" + unit)))
                    .toBigInteger()
                    .min(BigInteger.valueOf(IntendedTimes.END))
                    .longValueExact();
        }
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

    /** The error for an unreadable line. Logs may be confidential, so query strings are left out. */
    private static IllegalArgumentException badLine(String name, int number, String expected, String line) {
        String shown = line.length() <= LONGEST_SHOWN_LINE ? line : line.substring(0, LONGEST_SHOWN_LINE) + "...";
        shown = shown.replaceAll("\\?\\S*", "?***").replaceAll("[\\p{Cntrl}\\p{Cf}\\u0080-\\u009f\\u2028\\u2029]", " ");
        return new IllegalArgumentException(
                name + ", line " + number + ": expected " + expected + ", but was \"" + shown + "\"");
    }
}
