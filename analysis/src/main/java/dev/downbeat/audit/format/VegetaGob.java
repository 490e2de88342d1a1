package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What vegeta attack writes: Go's gob, messages with their length before them. Of a result the fields 4, its time, 5, its
 * latency, 8, its error, and 11, its URL, are read; fields that are zero are left out of a message.
 */
final class VegetaGob implements Format {
    private static final long TO_1970 = 62_135_596_800L;
    private static final long LONGEST = 1 << 28;

    @Override
    public String name() {
        return "vegeta (gob)";
    }

    @Override
    public boolean recognises(String head) {
        int type = head.indexOf("Result");
        return type >= 0
                && type < 40
                && head.contains("Latency")
                && head.contains("Timestamp")
                && !head.startsWith("{");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        source.number(0);
        long message = 0;
        for (int first = source.read(); first >= 0; first = source.read()) {
            message++;
            long length = unsigned(source, first);
            if (length < 1 || length > LONGEST) {
                throw new IOException("message " + message + " has a length of " + length);
            }
            Message one = new Message(source, length);
            if (one.signed() >= 0) {
                one.result(into);
            }
            one.skipRest();
        }
    }

    private static long unsigned(Source source, int first) throws IOException {
        if (first < 128) {
            return first;
        }
        long value = 0;
        int bytes = 256 - first;
        if (bytes > 8) {
            throw new IOException("a number of " + bytes + " bytes");
        }
        for (int i = 0; i < bytes; i++) {
            value = value << 8 | source.need();
        }
        return value;
    }

    private static final class Message {
        private final Source source;
        private long left;

        Message(Source source, long length) {
            this.source = source;
            this.left = length;
        }

        private int need() throws IOException {
            if (--left < 0) {
                throw new IOException("a message is shorter than its fields");
            }
            return source.need();
        }

        private long unsigned() throws IOException {
            int first = need();
            if (first < 128) {
                return first;
            }
            left -= 256 - first;
            return VegetaGob.unsigned(source, first);
        }

        long signed() throws IOException {
            long value = unsigned();
            return (value & 1) == 0 ? value >>> 1 : ~(value >>> 1);
        }

        private byte[] bytes() throws IOException {
            long length = unsigned();
            if (length > left) {
                throw new IOException("a text is longer than its message");
            }
            byte[] bytes = new byte[(int) length];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) need();
            }
            return bytes;
        }

        void result(Collected into) throws IOException {
            long at = Long.MIN_VALUE;
            long latency = 0;
            boolean hasFailed = false;
            int field = 0;
            for (long step = unsigned(); step != 0 && field <= 11; step = unsigned()) {
                field += (int) Math.min(100, step);
                switch (field) {
                    case 1, 9, 10 -> bytes();
                    case 2, 3, 6, 7 -> unsigned();
                    case 4 -> at = instant(bytes());
                    case 5 -> latency = signed();
                    case 8 -> hasFailed = bytes().length > 0;
                    case 11 -> into.target(new String(bytes(), StandardCharsets.UTF_8));
                    default -> throw new IOException("field " + field + " is none of a result");
                }
                if (field == 11) {
                    break; // the headers behind it do not matter
                }
            }
            if (at == Long.MIN_VALUE) {
                throw new IOException("a result has no time");
            }
            into.request(at, latency, -1, hasFailed);
        }

        /** A version, seconds since the year 1, nanoseconds, and a time zone. */
        private static long instant(byte[] bytes) throws IOException {
            if (bytes.length < 15) {
                throw new IOException("a time of " + bytes.length + " bytes");
            }
            long seconds = 0;
            for (int i = 1; i < 9; i++) {
                seconds = (seconds << 8) | (bytes[i] & 0xff);
            }
            long nanos = 0;
            for (int i = 9; i < 13; i++) {
                nanos = (nanos << 8) | (bytes[i] & 0xff);
            }
            return Math.addExact(Math.multiplyExact(seconds - TO_1970, 1_000_000_000L), nanos);
        }

        void skipRest() throws IOException {
            source.skip(left);
        }
    }
}
