package dev.downbeat.audit.format;

import dev.downbeat.audit.Collected;
import java.io.EOFException;
import java.io.IOException;

/**
 * The simulation.log of Gatling since 3.12, as its LogFileDataWriter writes it: records with a byte for their kind, numbers
 * with the high byte first, texts once and then by their number. Times are milliseconds since the start of the run.
 */
final class GatlingBinary implements Format {
    private static final long MILLI = 1_000_000L;
    private static final int REQUEST = 1;
    private static final int USER = 2;
    private static final int GROUP = 3;
    private static final int ERROR = 4;
    private static final int MOST = 1_000_000;

    @Override
    public String name() {
        return "Gatling simulation.log (binary)";
    }

    /** A zero, the length of the version, and the version. */
    @Override
    public boolean recognises(String head) {
        return head.length() > 8
                && head.startsWith("\0\0\0\0")
                && head.charAt(4) < 32
                && head.substring(5, 8).matches("[0-9]\\.[0-9]");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        into.resolutionNanos(MILLI);
        source.number(0);
        source.need();
        text(source);
        text(source);
        long startMillis = source.readLong();
        text(source);
        for (int scenarios = count(source); scenarios > 0; scenarios--) {
            text(source);
        }
        for (int assertions = count(source); assertions > 0; assertions--) {
            source.skip(source.readInt());
        }
        long record = 1;
        try {
            for (int kind = source.read(); kind >= 0; kind = source.read()) {
                record(source, into, kind, startMillis, ++record);
            }
        } catch (EOFException cutOff) {
            throw new IOException("record " + record + " is cut off: Gatling was interrupted, or the file", cutOff);
        }
    }

    private static void record(Source source, Collected into, int kind, long startMillis, long number)
            throws IOException {
        switch (kind) {
            case REQUEST -> {
                groups(source);
                cached(source);
                int start = source.readInt();
                int end = source.readInt();
                boolean isOk = source.need() != 0;
                cached(source);
                if (end >= start) { // what never ended has no end
                    into.request((startMillis + start) * MILLI, (end - (long) start) * MILLI, -1, !isOk);
                }
            }
            case USER -> source.skip(9);
            case GROUP -> {
                groups(source);
                source.skip(13);
            }
            case ERROR -> {
                cached(source);
                source.skip(4);
            }
            default -> throw new IOException("record " + number + " is of the unknown kind " + kind);
        }
    }

    private static int count(Source source) throws IOException {
        int count = source.readInt();
        if (count < 0 || count > MOST) {
            throw new IOException("a count of " + count);
        }
        return count;
    }

    private static void groups(Source source) throws IOException {
        for (int groups = count(source); groups > 0; groups--) {
            cached(source);
        }
    }

    private static void cached(Source source) throws IOException {
        if (source.readInt() >= 0) {
            text(source);
        }
    }

    /** The bytes and a byte for how they are coded. */
    private static void text(Source source) throws IOException {
        int length = source.readInt();
        source.skip(length == 0 ? 0 : length + 1L);
    }
}
