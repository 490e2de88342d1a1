package dev.downbeat.http.requests;

import dev.downbeat.arrival.Replay;
import dev.downbeat.http.RequestBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an access log that have a time and a request, in the order of their times. Of each is kept its time, where it
 * stands and its name: 20 bytes. Immutable, thread-safe.
 */
public final class LoggedLines {
    /** The log that was read last: a plan, its target and what is said of it need the same, and a million lines take a second. */
    private static final Map<Read, LoggedLines> LAST = new HashMap<>(2);

    private final ByteBuffer file;
    private final long[] offsetsNanos;
    private final int[] places;
    private final int[] nameOfEach;
    private final List<String> names;
    private final List<String> notes;

    /** Where a format has them apart from paths. */
    private final byte[] methodOfEach;

    private final List<byte[]> methods;
    private final byte afterPath;

    /** What a reading depends on. */
    private record Read(Path file, Optional<LogFormat> format, long size, FileTime modified, long seed) {}

    private LoggedLines(
            ByteBuffer file,
            LogReader reader,
            byte afterPath,
            long[] stamps,
            int[] order,
            List<String> notes,
            long seed) {
        this.file = file;
        this.offsetsNanos = spread(stamps, reader.resolutionNanos(), seed);
        this.places = inOrder(reader.places(), order);
        this.nameOfEach = inOrder(reader.named(), order);
        this.methodOfEach = inOrder(reader.methods(), order);
        this.methods = reader.torn().stream()
                .map(method -> Template.ascii(method + " "))
                .toList();
        this.afterPath = afterPath;
        this.names = reader.names();
        this.notes = notes;
    }

    /**
     * Reads a log of up to 2 GiB: in its format, or else common and combined format, or any with a time and a quoted request line;
     * or a line of JSON each. Lines that are none of it are left out and counted.
     *
     * @param seed of the instants within a second, which whole-second stamps have lost
     * @throws IllegalArgumentException if no line is one
     */
    static LoggedLines read(Path file, Optional<LogFormat> format, long seed) throws IOException {
        Read wanted = new Read(file, format, Files.size(file), Files.getLastModifiedTime(file), seed);
        synchronized (LAST) {
            LoggedLines same = LAST.get(wanted);
            if (same == null) {
                LAST.clear();
                same = readAnew(file, format, seed);
                LAST.put(wanted, same);
            }
            return same;
        }
    }

    private static LoggedLines readAnew(Path file, Optional<LogFormat> format, long seed) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(file + " is larger than 2 GiB: split it, or take a part by 'head'");
            }
            ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            return read(bytes, format.orElse(null), String.valueOf(file.getFileName()), seed);
        }
    }

    static LoggedLines read(ByteBuffer bytes, @Nullable LogFormat format, String name, long seed) {
        LogReader reader = new LogReader(bytes, format);
        reader.readAll();
        if (reader.count() == 0) {
            throw new IllegalArgumentException(
                    format == null
                            ? name + ": no line has a time and a request, such as [10/Oct/2000:13:55:36"
                                    + " -0700] \"GET /path HTTP/1.1\"; say --times-only for times alone, or how lines are"
                                    + " written with --log-format"
                            : name + ": no line is written like " + format.text());
        }
        long[] stamps = Arrays.copyOf(reader.stamps(), reader.count());
        int[] order = sort(stamps);
        return new LoggedLines(
                bytes,
                reader,
                format == null ? (byte) '\n' : format.afterPath(),
                stamps,
                order,
                notes(reader, name),
                seed);
    }

    private static List<String> notes(LogReader reader, String name) {
        Optional<String> left = reader.unreadable() == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s: %,d of %,d lines have no time or no request and are left out; the first is line %,d",
                        name,
                        reader.unreadable(),
                        reader.unreadable() + reader.count(),
                        reader.firstUnreadable()));
        Optional<String> seconds = reader.resolutionNanos() < LogStamps.SECOND_NANOS
                ? Optional.empty()
                : Optional.of(name + ": its stamps are whole seconds; requests are spread at random within each");
        return Stream.of(left, seconds).flatMap(Optional::stream).toList();
    }

    /** Sorts them, and tells of each where it was. Logs are written as requests end: nearly sorted, and often quite. */
    private static int[] sort(long[] stamps) {
        int[] order = new int[stamps.length];
        Arrays.setAll(order, i -> i);
        boolean sorted = true;
        for (int i = 1; sorted && i < stamps.length; i++) {
            sorted = stamps[i - 1] <= stamps[i];
        }
        if (!sorted) {
            long[] old = stamps.clone();
            Integer[] places = new Integer[old.length];
            Arrays.setAll(places, i -> i);
            Arrays.sort(places, Comparator.comparingLong(i -> old[i]));
            Arrays.setAll(order, i -> places[i]);
            Arrays.setAll(stamps, i -> old[order[i]]);
        }
        return order;
    }

    private static int[] inOrder(int[] values, int[] order) {
        int[] sorted = new int[order.length];
        Arrays.setAll(sorted, i -> values[order[i]]);
        return sorted;
    }

    private static byte[] inOrder(byte[] values, int[] order) {
        byte[] sorted = new byte[values.length == 0 ? 0 : order.length];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = values[order[i]];
        }
        return sorted;
    }

    /** Requests of the same stamp come at random within what it resolves: Poisson, given how many there are. */
    private static long[] spread(long[] stamps, long resolutionNanos, long seed) {
        long[] offsets = new long[stamps.length];
        for (int from = 0; from < stamps.length; ) {
            int to = from;
            while (to < stamps.length && stamps[to] == stamps[from]) {
                to++;
            }
            double[] lots = new double[to - from];
            for (int i = 0; i < lots.length; i++) {
                lots[i] = (Draw.mix(Draw.mix(seed + from) + i * 0x9E3779B97F4A7C15L) >>> 11) * 0x1.0p-53;
            }
            Arrays.sort(lots);
            boolean alone = lots.length == 1 && resolutionNanos < LogStamps.SECOND_NANOS;
            for (int i = from; i < to; i++) {
                offsets[i] = stamps[i] - stamps[0] + (alone ? 0 : (long) (lots[i - from] * resolutionNanos));
            }
            from = to;
        }
        long first = offsets[0];
        Arrays.setAll(offsets, i -> offsets[i] - first);
        return offsets;
    }

    /** How many there are. */
    public int count() {
        return places.length;
    }

    /** When they are meant to start. */
    public Replay times() {
        return Replay.of(offsetsNanos);
    }

    /** What is to be known of the log, a line each. */
    public List<String> notes() {
        return notes;
    }

    List<String> names() {
        return names;
    }

    int nameOf(long index) {
        return nameOfEach[(int) (index % places.length)];
    }

    /** Appends method and target, with a blank between. */
    void write(long index, RequestBytes into) {
        int line = (int) (index % places.length);
        int at = places[line];
        int blank = 0;
        int from = 0;
        boolean isTorn = methodOfEach.length > 0;
        if (isTorn) {
            into.append(methods.get(methodOfEach[line]));
            blank = 1;
            from = into.length();
        }
        for (; at < file.limit(); at++) {
            byte one = file.get(at);
            boolean isBlank = one == ' ';
            if (one == '"'
                    || one == '\t'
                    || one == '\r'
                    || one == '\n'
                    || (isBlank && blank == 1)
                    || (isTorn && one == afterPath)) {
                break;
            }
            blank += isBlank ? 1 : 0;
            into.one(one);
            from = isBlank ? into.length() : from;
        }
        into.percentEncode(from);
    }
}
