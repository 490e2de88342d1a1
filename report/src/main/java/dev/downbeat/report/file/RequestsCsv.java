package dev.downbeat.report.file;

import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.KeptRequests.Opening;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kept requests, one per line, by intended start. Each instant is written as its delay after the previous one, in
 * microseconds; an index one above the previous line's is left out. Parsed as untrusted input.
 */
final class RequestsCsv {
    private static final String COLUMNS = "index,name,position,answered,intended_us,lateness_us,backlog_wait_us,"
            + "first_byte_us,reading_us,new_connection_us";
    private static final String OLD_HEADER = "kept," + COLUMNS;

    /** Since the parts of a new connection are kept. They are left out where there is none, or they are unknown. */
    private static final String HEADER = OLD_HEADER + ",lookup_us,connect_us,handshake_us";

    /** Of the two tables of schema 1, in nanoseconds; the second had only the index of requests in the first. */
    private static final String HEADER_1 = COLUMNS.replace("_us", "_ns");

    private static final int FIELDS = 10;
    private static final int PARTS = 3;
    private static final int FIRST_TIME = 4;
    private static final String SLOWEST = "slowest";
    private static final String SAMPLE = "sample";
    private static final String BOTH = "both";
    private static final Pattern NUMBER = Pattern.compile("(\\d{1,18})(?:\\.(\\d{1,3}))?");

    private RequestsCsv() {}

    static String text(KeptRequests kept) {
        Set<KeptRequest> slowest = new HashSet<>(kept.slowest());
        Set<KeptRequest> sample = new HashSet<>(kept.controls());
        List<KeptRequest> all = new ArrayList<>(kept.slowest());
        kept.controls().stream().filter(one -> !slowest.contains(one)).forEach(all::add);
        all.sort(KeptRequests.IN_ORDER);
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        long next = 0;
        for (KeptRequest one : all) {
            text.append(!sample.contains(one) ? SLOWEST : slowest.contains(one) ? BOTH : SAMPLE);
            text.append(',').append(one.index() == next ? "" : Long.toString(one.index()));
            text.append(',').append(one.name());
            text.append(',').append(one.position());
            text.append(',').append(one.isAnswered() ? 1 : 0);
            micros(one.intendedNanos(), text);
            micros(one.dispatchedNanos() - one.intendedNanos(), text);
            micros(one.startedNanos() - one.dispatchedNanos(), text);
            micros(one.firstByteNanos() - one.startedNanos(), text);
            micros(one.completedNanos() - one.firstByteNanos(), text);
            micros(one.newConnectionNanos(), text);
            parts(one.opening(), text);
            text.append('\n');
            next = one.index() + 1;
        }
        return text.toString();
    }

    private static void parts(Opening opening, StringBuilder text) {
        if (opening.equals(Opening.unknown(opening.nanos()))) {
            text.append(",,,");
            return;
        }
        micros(opening.lookupNanos(), text);
        micros(opening.connectNanos(), text);
        micros(opening.handshakeNanos(), text);
    }

    private static void micros(long nanos, StringBuilder text) {
        text.append(',').append(nanos / 1_000);
        int rest = (int) (nanos % 1_000);
        if (rest != 0) {
            text.append('.');
        }
        for (int unit = 100; rest > 0; unit /= 10) {
            text.append((char) ('0' + rest / unit));
            rest %= unit;
        }
    }

    /** Parses what {@link #text} wrote; {@code name} is that of the entry, for messages. */
    static KeptRequests read(String text, String name) throws IOException {
        List<KeptRequest> slowest = new ArrayList<>();
        List<KeptRequest> sample = new ArrayList<>();
        long next = 0;
        int line = 1;
        boolean hasParts = !text.startsWith(OLD_HEADER + '\n');
        for (String[] fields : lines(text, hasParts ? HEADER : OLD_HEADER, name)) {
            line++;
            boolean isComplete = fields.length == (hasParts ? FIELDS + PARTS : FIELDS) + 1;
            boolean isSlow = isComplete && (fields[0].equals(SLOWEST) || fields[0].equals(BOTH));
            boolean isDrawn = isComplete && (fields[0].equals(SAMPLE) || fields[0].equals(BOTH));
            if (!isSlow && !isDrawn) {
                throw corrupt(name, line);
            }
            if (fields[1].isEmpty()) {
                fields[1] = Long.toString(next);
            }
            KeptRequest one = request(fields, 1, 1_000, name, line);
            next = one.index() + 1;
            if (isSlow) {
                slowest.add(one);
            }
            if (isDrawn) {
                sample.add(one);
            }
        }
        return KeptRequests.of(slowest, sample);
    }

    /** Parses one of the two tables of schema 1, where those in the other have an index only. */
    static List<KeptRequest> readSchema1(String text, String name, List<KeptRequest> others) throws IOException {
        Map<Long, KeptRequest> byIndex = new HashMap<>();
        others.forEach(one -> byIndex.put(one.index(), one));
        List<KeptRequest> all = new ArrayList<>();
        for (String[] fields : lines(text, HEADER_1, name)) {
            int line = all.size() + 2;
            KeptRequest other = fields.length == 1 ? byIndex.get(number(fields[0], 1, name, line)) : null;
            if (other == null && fields.length != FIELDS) {
                throw corrupt(name, line);
            }
            all.add(other != null ? other : request(fields, 0, 1, name, line));
        }
        return all;
    }

    private static List<String[]> lines(String text, String header, String name) throws IOException {
        List<String> lines = text.lines().limit(2L * KeptRequests.MOST + 2).toList();
        if (lines.isEmpty() || !lines.get(0).equals(header)) {
            throw corrupt(name, 1);
        }
        if (lines.size() > 2 * KeptRequests.MOST + 1) {
            throw corrupt(name, lines.size());
        }
        return lines.stream()
                .skip(1)
                .map(line -> line.split(",", FIELDS + PARTS + 2))
                .toList();
    }

    /** The request of the fields from one on, whose times have this unit. */
    private static KeptRequest request(String[] fields, int from, int unitNanos, String name, int line)
            throws IOException {
        long[] n = new long[FIELDS];
        for (int i = 0; i < FIELDS; i++) {
            n[i] = number(fields[from + i], i < FIRST_TIME ? 1 : unitNanos, name, line);
        }
        if (n[1] > Integer.MAX_VALUE || n[2] > Integer.MAX_VALUE || n[3] > 1) {
            throw corrupt(name, line);
        }
        long dispatched = n[4] + n[5];
        long started = dispatched + n[6];
        long firstByte = started + n[7];
        return new KeptRequest(
                n[0],
                (int) n[1],
                n[4],
                dispatched,
                started,
                firstByte,
                firstByte + n[8],
                opening(n[9], fields, from + FIELDS, name, line),
                (int) n[2],
                n[3] == 1);
    }

    /** The parts follow the ten fields; older files have none. */
    private static Opening opening(long nanos, String[] fields, int from, String name, int line) throws IOException {
        if (fields.length == from
                || String.join("", Arrays.asList(fields).subList(from, fields.length))
                        .isEmpty()) {
            return Opening.unknown(nanos);
        }
        long[] parts = new long[PARTS];
        for (int i = 0; i < PARTS; i++) {
            parts[i] = number(fields[from + i], 1_000, name, line);
        }
        return new Opening(nanos, parts[0], parts[1], parts[2]);
    }

    private static long number(String field, int unit, String name, int line) throws IOException {
        Matcher matcher = NUMBER.matcher(field);
        if (!matcher.matches() || (matcher.group(2) != null && unit == 1)) {
            throw corrupt(name, line);
        }
        long whole = Long.parseLong(matcher.group(1));
        if (whole > SumChecks.MOST / unit) {
            throw corrupt(name, line);
        }
        String thousandths = matcher.group(2) == null ? "" : matcher.group(2);
        return whole * unit + Long.parseLong((thousandths + "000").substring(0, 3));
    }

    private static IOException corrupt(String name, int line) {
        return new IOException("corrupt: line " + line + " of its " + name + " is malformed");
    }
}
