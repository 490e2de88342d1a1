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

    /** What a reading depends on. */
    private record Read(Path file, long size, FileTime modified, long seed) {}

    private LoggedLines(
            ByteBuffer file,
            long[] offsetsNanos,
            int[] places,
            int[] nameOfEach,
            List<String> names,
            List<String> notes) {
        this.file = file;
        this.offsetsNanos = offsetsNanos;
        this.places = places;
        this.nameOfEach = nameOfEach;
        this.names = names;
        this.notes = notes;
    }

    /**
     * Reads a log of up to 2 GiB: common and combined format, or any with a time and a quoted request line; or a line of JSON
     * each. Lines that are none of it are left out and counted.
     *
     * @param seed of the instants within a second, which whole-second stamps have lost
     * @throws IllegalArgumentException if no line is one
     */
    public static LoggedLines read(Path file, long seed) throws IOException {
        Read wanted = new Read(file, Files.size(file), Files.getLastModifiedTime(file), seed);
        synchronized (LAST) {
            LoggedLines same = LAST.get(wanted);
            if (same == null) {
                LAST.clear();
                same = readAnew(file, seed);
                LAST.put(wanted, same);
            }
            return same;
        }
    }

    private static LoggedLines readAnew(Path file, long seed) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(file + " is larger than 2 GiB: split it, or take a part by 'head'");
            }
            ByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            return read(bytes, String.valueOf(file.getFileName()), seed);
        }
    }

    static LoggedLines read(ByteBuffer bytes, String name, long seed) {
        LogReader reader = new LogReader(bytes);
        reader.readAll();
        if (reader.count() == 0) {
            throw new IllegalArgumentException(
                    name + ": no line has a time and a request, such as [10/Oct/2000:13:55:36"
                            + " -0700] \"GET /path HTTP/1.1\"; say --times-only for times alone");
        }
        long[] stamps = Arrays.copyOf(reader.stamps(), reader.count());
        int[] places = Arrays.copyOf(reader.places(), reader.count());
        int[] named = Arrays.copyOf(reader.named(), reader.count());
        sort(stamps, places, named);
        long[] offsets = spread(stamps, reader.resolutionNanos(), seed);
        return new LoggedLines(bytes, offsets, places, named, reader.names(), notes(reader, name));
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

    /** Logs are written in the order in which requests end: nearly sorted, and often quite. */
    private static void sort(long[] stamps, int[] places, int[] named) {
        boolean sorted = true;
        for (int i = 1; sorted && i < stamps.length; i++) {
            sorted = stamps[i - 1] <= stamps[i];
        }
        if (sorted) {
            return;
        }
        Integer[] order = new Integer[stamps.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingLong(i -> stamps[i]));
        long[] oldStamps = stamps.clone();
        int[] oldPlaces = places.clone();
        int[] oldNamed = named.clone();
        for (int i = 0; i < order.length; i++) {
            stamps[i] = oldStamps[order[i]];
            places[i] = oldPlaces[order[i]];
            named[i] = oldNamed[order[i]];
        }
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
        int at = places[(int) (index % places.length)];
        int blank = 0;
        int from = 0;
        for (; at < file.limit(); at++) {
            byte one = file.get(at);
            boolean isBlank = one == ' ';
            if (one == '"' || one == '\n' || (isBlank && blank == 1)) {
                break;
            }
            blank += isBlank ? 1 : 0;
            into.one(one);
            from = isBlank ? into.length() : from;
        }
        into.percentEncode(from);
    }
}
