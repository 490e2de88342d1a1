package dev.downbeat.report.file;

import dev.downbeat.record.KeptRequest;
import dev.downbeat.record.KeptRequests;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Requests in full, one per line: the delay of each instant after the previous one, in nanoseconds. Readable by any CSV
 * program. Parsed as untrusted input.
 */
final class RequestsCsv {
    private static final String HEADER =
            "index,name,position,answered,intended_ns,lateness_ns,backlog_wait_ns,first_byte_ns,reading_ns,new_connection_ns";

    private static final int COLUMNS = 10;

    private RequestsCsv() {}

    /**
     * Writes requests; those contained in another entry are written as their index only.
     *
     * @param elsewhere indices of the requests in the other entry
     */
    static String text(List<KeptRequest> requests, Set<Long> elsewhere) {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        for (KeptRequest one : requests) {
            text.append(one.index());
            if (elsewhere.contains(one.index())) {
                text.append('\n');
                continue;
            }
            text.append(',');
            text.append(one.name()).append(',');
            text.append(one.position()).append(',');
            text.append(one.isAnswered() ? 1 : 0).append(',');
            text.append(one.intendedNanos()).append(',');
            text.append(one.dispatchedNanos() - one.intendedNanos()).append(',');
            text.append(one.startedNanos() - one.dispatchedNanos()).append(',');
            text.append(one.firstByteNanos() - one.startedNanos()).append(',');
            text.append(one.completedNanos() - one.firstByteNanos()).append(',');
            text.append(one.newConnectionNanos()).append('\n');
        }
        return text.toString();
    }

    /**
     * Parses what {@link #text} wrote.
     *
     * @param name the entry's name, for messages
     * @param elsewhere requests of the other entry, by index
     * @throws IOException if the text is invalid or longer than is ever written
     */
    static List<KeptRequest> read(String text, String name, Map<Long, KeptRequest> elsewhere) throws IOException {
        List<KeptRequest> all = new ArrayList<>();
        int at = text.indexOf('\n') + 1;
        if (!text.startsWith(HEADER + "\n")) {
            throw garbled(name, 1);
        }
        while (at < text.length()) {
            int end = text.indexOf('\n', at);
            int line = all.size() + 2;
            if (end < 0 || all.size() == KeptRequests.MOST) {
                throw garbled(name, line);
            }
            long[] numbers = numbers(text, at, end, name, line);
            KeptRequest other = elsewhere.get(numbers[0]);
            if (numbers.length > 1) {
                all.add(request(numbers));
            } else if (other != null) {
                all.add(other);
            } else {
                throw garbled(name, line);
            }
            at = end + 1;
        }
        return all;
    }

    /** All numbers of a line, or the only one. */
    private static long[] numbers(String text, int from, int end, String name, int line) throws IOException {
        long[] numbers = new long[COLUMNS];
        int column = 0;
        boolean isEmpty = true;
        for (int at = from; at < end; at++) {
            char c = text.charAt(at);
            if (c == ',') {
                column++;
            } else if (c >= '0' && c <= '9') {
                numbers[column] = 10 * numbers[column] + c - '0';
            }
            boolean isPlain = c == ',' ? !isEmpty && column < COLUMNS : c >= '0' && c <= '9';
            if (!isPlain || numbers[Math.min(column, COLUMNS - 1)] > Sums.MOST) {
                throw garbled(name, line);
            }
            isEmpty = c == ',';
        }
        if (!isEmpty && column == 0) {
            return new long[] {numbers[0]};
        }
        boolean isPossible = numbers[1] <= Integer.MAX_VALUE && numbers[2] <= Integer.MAX_VALUE && numbers[3] <= 1;
        if (isEmpty || column != COLUMNS - 1 || !isPossible) {
            throw garbled(name, line);
        }
        return numbers;
    }

    private static KeptRequest request(long[] n) {
        long dispatched = n[4] + n[5];
        long started = dispatched + n[6];
        long firstByte = started + n[7];
        return new KeptRequest(
                n[0], (int) n[1], n[4], dispatched, started, firstByte, firstByte + n[8], n[9], (int) n[2], n[3] == 1);
    }

    private static IOException garbled(String name, int line) {
        return new IOException("garbled: line " + line + " of its " + name + " is no request");
    }
}
