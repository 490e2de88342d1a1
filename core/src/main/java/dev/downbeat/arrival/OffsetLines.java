package dev.downbeat.arrival;

import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/** Reads recorded offsets, one per line. */
final class OffsetLines {
    private static final Pattern OFFSET =
            Pattern.compile("(\\d{1,18}(?:\\.\\d{1,30})?(?:[eE][+-]?\\d{1,2})?)\\s*(ns|us|µs|ms|s|m|h)?");
    private static final Map<String, Long> NANOS_PER_UNIT = Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "µs",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);

    private OffsetLines() {}

    static long[] read(BufferedReader lines, String name) throws IOException {
        LongStream.Builder offsets = LongStream.builder();
        int number = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            number++;
            String text = withoutComment(line);
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
            throw BadLine.of(name, number, "an offset such as 0.0015, 1500us or 1.5 ms", text);
        }
        String unit = offset.group(2) == null ? "s" : offset.group(2);
        return new BigDecimal(offset.group(1))
                .multiply(BigDecimal.valueOf(NANOS_PER_UNIT.getOrDefault(unit, 0L)))
                .toBigInteger()
                .min(BigInteger.valueOf(IntendedTimes.END))
                .longValueExact();
    }
}
