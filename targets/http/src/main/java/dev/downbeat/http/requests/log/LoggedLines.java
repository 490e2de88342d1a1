package dev.downbeat.http.requests.log;

import dev.downbeat.arrival.LogStamps;
import dev.downbeat.arrival.RecordedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.arrival.SplitMix64;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.RequestTemplate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The lines of an access log that have a time and a request, in time order. A long log is not held in memory: the
 * positions of its requests are in a temporary file, and requests are read while they are sent. Immutable, thread-safe.
 */
public final class LoggedLines {
    /**
     * The most recently read log: a plan, its target and its description need the same one, and a million lines take a
     * second.
     */
    private static final Map<CacheKey, LoggedLines> LAST = new HashMap<>(2);

    private static final int BATCH = 1 << 8;

    private final LogRecords records;
    final LogText text;
    private final List<String> names;
    private final List<String> notes;

    private record CacheKey(Path file, Optional<LogFormat> format, long size, FileTime modified, long seed) {}

    private LoggedLines(LogRecords records, LogText text, List<String> names, List<String> notes) {
        this.records = records;
        this.text = text;
        this.names = names;
        this.notes = notes;
    }

    /**
     * Reads a log: in the given format, or else in common or combined format, any format with a time and a quoted
     * request line, or one JSON object per line. Invalid lines are skipped and counted.
     *
     * @param seed seed for instants within a second, which whole-second stamps have lost
     * @throws IllegalArgumentException if no line is valid
     */
    static LoggedLines read(Path file, Optional<LogFormat> format, long seed) throws IOException {
        CacheKey key = new CacheKey(file, format, Files.size(file), Files.getLastModifiedTime(file), seed);
        if (!Files.isRegularFile(file)) {
            throw new IllegalArgumentException(file
                    + " is not a regular file: its lines are read again during the run, so save it to a file first");
        }
        synchronized (LAST) {
            LoggedLines cached = LAST.get(key);
            if (cached == null) {
                LAST.clear();
                cached = readAnew(file, format.orElse(null), seed);
                LAST.put(key, cached);
            }
            return cached;
        }
    }

    /** The file stays open, because its requests are read during the run. */
    private static LoggedLines readAnew(Path file, @Nullable LogFormat format, long seed) throws IOException {
        FileChannel log = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return readAnew(log, String.valueOf(file.getFileName()), format, seed);
        } catch (IOException | RuntimeException failed) {
            log.close();
            throw failed;
        }
    }

    private static LoggedLines readAnew(FileChannel log, String name, @Nullable LogFormat format, long seed)
            throws IOException {
        byte[] first = new byte[2];
        log.read(ByteBuffer.wrap(first), 0);
        LogStamps.refuseCompressed(name, first);
        LogReader reader = new LogReader(log, format);
        reader.readAll();
        if (reader.found.count() == 0) {
            throw new IllegalArgumentException(
                    format == null
                            ? name + ": no line has a time and a request, such as [10/Oct/2000:13:55:36"
                                    + " -0700] \"GET /path HTTP/1.1\"; use --times-only for times alone, or describe"
                                    + " lines with --log-format"
                            : name + ": no line matches " + format.text());
        }
        List<String> notes = notes(reader, name);
        LogRecords records = reader.found.sorted(reader.times.resolutionNanos(), seed);
        List<byte[]> methods = reader.methods.stream()
                .map(method -> RequestTemplate.ascii(method + " "))
                .toList();
        LogText text = new LogText(log, records, methods, format == null ? (byte) '\n' : format.afterPath());
        return new LoggedLines(records, text, List.copyOf(reader.requests.names), notes);
    }

    private static List<String> notes(LogReader reader, String name) {
        Optional<String> left = reader.unreadable == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s: %,d of %,d lines have no time or no request and are left out; the first is line %,d",
                        name,
                        reader.unreadable,
                        reader.unreadable + reader.found.count(),
                        reader.firstUnreadable));
        Optional<String> seconds = reader.times.resolutionNanos() < LogStamps.SECOND_NANOS
                ? Optional.empty()
                : Optional.of(name + ": its stamps are whole seconds; requests are spread at random within each");
        return Stream.of(left, seconds).flatMap(Optional::stream).toList();
    }

    public int count() {
        return records.count();
    }

    public Replay times() {
        LogRecords.Cursor all = records.cursor(0, records.count(), BATCH);
        if (records.areInMemory()) {
            long[] offsets = new long[records.count()];
            for (int i = 0; all.next(); i++) {
                offsets[i] = all.nanos();
            }
            return Replay.of(offsets);
        }
        long digest = 0;
        while (all.next()) {
            digest = RecordedTimes.digest(digest, all.nanos());
        }
        return Replay.of(new InFile(records, digest));
    }

    private record InFile(LogRecords records, long digest) implements RecordedTimes {
        @Override
        public int count() {
            return records.count();
        }

        @Override
        public Reader reader() {
            LogRecords.Cursor cursor = records.cursor(0, 0, BATCH);
            return (first, into) -> {
                cursor.reset(first);
                int read = 0;
                while (read < into.length && cursor.next()) {
                    into[read++] = cursor.nanos();
                }
                return read;
            };
        }
    }

    /** Notes on the log, one line each. */
    public List<String> notes() {
        return notes;
    }

    List<String> names() {
        return names;
    }

    int nameOf(long index) {
        return text.nameOf((int) (index % records.count()));
    }

    /** Appends the method and the target, separated by a blank; nothing if the log has lost them since. */
    void write(long index, RequestBytes into) {
        text.write((int) (index % records.count()), into);
    }

    /**
     * An access log to replay.
     *
     * @param file the file
     * @param format format of its lines; detected per line if empty
     */
    public record AccessLogFile(Path file, Optional<LogFormat> format) {
        /**
         * Its lines; the most recently read log is cached.
         *
         * @param seed seed for instants within a second, which whole-second stamps have lost
         * @throws IllegalArgumentException if no line is valid
         */
        public LoggedLines lines(long seed) throws IOException {
            return LoggedLines.read(file, format, seed);
        }
    }

    /** Finds the time and the request in each line of an access log. Use once. */
    private static final class LogReader {
        private static final int WINDOW = 1 << 20;
        private static final int MOST_METHODS = 100;
        private static final int LONGEST = 1 << 26;
        private static final byte NEWLINE = '\n';
        private static final byte QUOTE = '"';

        private final FileChannel file;
        private final @Nullable LogFormat format;
        private final LogFormat.Fields fields = new LogFormat.Fields();
        private final LogStamps times = new LogStamps();
        private final LogNames requests = new LogNames();
        private final LogSorting found = new LogSorting();

        /** The methods of lines without a complete request line. */
        private final List<String> methods = new ArrayList<>();

        private long unreadable;
        private long firstUnreadable;

        /** A null format detects time and request. */
        LogReader(FileChannel file, @Nullable LogFormat format) {
            this.file = file;
            this.format = format;
        }

        /** Reads one window at a time into the heap, since every line has about a hundred bytes to scan. */
        void readAll() throws IOException {
            long number = 0;
            long from = 0;
            long size = file.size(); // later additions to the file are not read
            byte[] window = new byte[WINDOW];
            while (from < size) {
                int length = read(window, from, (int) Math.min(window.length, size - from));
                boolean isLast = length == 0 || from + length >= size;
                int begin = 0;
                for (int end = position(NEWLINE, window, begin, length);
                        end >= 0;
                        end = position(NEWLINE, window, begin, length)) {
                    readLine(window, begin, end, from, ++number);
                    begin = end + 1;
                }
                if (isLast && begin < length) {
                    number++;
                    if (format == null && isCutOff(window, begin, length)) {
                        skip(number);
                    } else {
                        readLine(window, begin, length, from, number);
                    }
                }
                if (isLast) {
                    return;
                }
                if (begin == 0) {
                    if (window.length >= LONGEST) {
                        throw new IllegalArgumentException(
                                "line " + (number + 1) + " is longer than " + LONGEST + " bytes");
                    }
                    window = new byte[2 * window.length]; // a line longer than all before
                }
                from += begin;
            }
        }

        private int read(byte[] window, long from, int most) throws IOException {
            ByteBuffer into = ByteBuffer.wrap(window, 0, most);
            while (into.hasRemaining() && file.read(into, from + into.position()) >= 0) {}
            return into.position();
        }

        private static int position(byte one, byte[] text, int from, int to) {
            for (int i = from; i < to; i++) {
                if (text[i] == one) {
                    return i;
                }
            }
            return -1;
        }

        private void readLine(byte[] text, int from, int to, long base, long number) throws IOException {
            boolean isBlank = to == from || text[from] == '#' || (to - from == 1 && text[from] == '\r');
            if (!isBlank && !line(text, from, to, base)) {
                skip(number);
            }
        }

        private void skip(long number) {
            firstUnreadable = unreadable == 0 ? number : firstUnreadable;
            unreadable++;
        }

        /** Whether a line without an end stops in its quoted request, as where a log was copied while it was written. */
        private static boolean isCutOff(byte[] text, int from, int to) {
            int request = request(text, from, to);
            boolean isQuoted = request > from && text[request - 1] == '"';
            return isQuoted && position(QUOTE, text, request, to) < 0;
        }

        private boolean line(byte[] text, int from, int to, long base) throws IOException {
            if (format != null) {
                return line(format, text, from, to, base);
            }
            int request = request(text, from, to);
            long nanos = request < 0 ? LogStamps.NONE : times.stamp(text, from, to);
            return nanos != LogStamps.NONE && add(nanos, base + request, requests.name(text, request, to));
        }

        private boolean line(LogFormat own, byte[] text, int from, int to, long base) throws IOException {
            if (!own.matches(text, from, to, fields)) {
                return false;
            }
            int request = fields.requestFrom;
            boolean isSeparate = own.separatesMethod();
            boolean isRequest = isSeparate
                    ? request < fields.requestTo && text[request] == '/'
                    : request(text, request, fields.requestTo) == request;
            long nanos = isRequest ? times.parseField(text, fields.timeFrom, fields.timeTo) : LogStamps.NONE;
            if (nanos == LogStamps.NONE) {
                return false;
            }
            if (!isSeparate) {
                return add(nanos, base + request, requests.name(text, request, fields.requestTo));
            }
            String method = fields.methodFrom < 0
                    ? "GET"
                    : new String(
                            text, fields.methodFrom, fields.methodTo - fields.methodFrom, StandardCharsets.US_ASCII);
            if (!method.matches("[A-Z]{3,20}")) {
                return false;
            }
            int place = methods.indexOf(method);
            if (place < 0) {
                if (methods.size() == MOST_METHODS) {
                    return false;
                }
                place = methods.size();
                methods.add(method);
            }
            byte[] whole = (method + " ").getBytes(StandardCharsets.US_ASCII);
            int begin = whole.length;
            whole = Arrays.copyOf(whole, begin + fields.requestTo - request);
            System.arraycopy(text, request, whole, begin, fields.requestTo - request);
            long numbered = place + 1L;
            return add(
                    nanos, numbered << LogText.METHOD_SHIFT | (base + request), requests.name(whole, 0, whole.length));
        }

        private boolean add(long nanos, long place, int name) throws IOException {
            found.add(nanos, place, name);
            return true;
        }

        /** The start of {@code GET /path}: capital letters, a blank, and a valid start of a path. */
        private static int request(byte[] text, int from, int to) {
            for (int begin = from; begin < to; begin++) {
                byte one = text[begin];
                if (one < 'A' || one > 'Z' || (begin > from && !isBefore(text[begin - 1]))) {
                    continue;
                }
                int letter = begin;
                while (letter < to && text[letter] >= 'A' && text[letter] <= 'Z') {
                    letter++;
                }
                boolean isMethod = letter - begin > 2 && letter + 1 < to && text[letter] == ' ';
                if (isMethod && (text[letter + 1] == '/' || text[letter + 1] == '*')) {
                    return begin;
                }
            }
            return -1;
        }

        private static boolean isBefore(byte one) {
            return one == '"' || one == ' ' || one == '\t' || one == ':';
        }

        /** The names of an access log's requests. Use once. */
        private static final class LogNames {
            private static final int LEAST_HEX = 16;
            private static final int MOST_KNOWN = 100_000;
            private static final long FNV_BASIS = 0xcbf2_9ce4_8422_2325L;
            private static final long FNV_PRIME = 0x100_0000_01b3L;

            /** Stands for a number in a path; different from every byte. */
            private static final int ID = 1 << 8;

            private static final String OTHERS = "(others)";

            private final Map<Long, Integer> nameOfPath = new HashMap<>();
            private final Map<String, Integer> places = new HashMap<>();

            /** Indexed by the results of {@link #name}. */
            private final List<String> names = new ArrayList<>();

            /** Requests with the same method and path share a name, ignoring the query and numbers in the path. */
            int name(byte[] text, int from, int to) {
                long hash = FNV_BASIS;
                int blanks = 0;
                int part = from;
                int end = from;
                for (boolean isOver = false; !isOver; end++) {
                    byte one = end < to ? text[end] : (byte) '"';
                    blanks += one == ' ' ? 1 : 0;
                    isOver = one == '?' || one == '"' || one == '\r' || blanks == 2;
                    if (isOver || one == '/') {
                        hash = isId(text, part, end) ? folded(hash, ID) : folded(hash, text, part, end);
                        hash = folded(hash, '/');
                        part = end + 1;
                    }
                }
                int last = end - 1;
                Integer known = nameOfPath.get(hash);
                if (known != null) {
                    return known;
                }
                int place = placeOf(generalised(new String(text, from, last - from, StandardCharsets.UTF_8)));
                if (nameOfPath.size() < MOST_KNOWN) {
                    nameOfPath.put(hash, place);
                }
                return place;
            }

            private static long folded(long hash, byte[] text, int from, int to) {
                long folded = hash;
                for (int i = from; i < to; i++) {
                    folded = folded(folded, text[i] & 0xff);
                }
                return folded;
            }

            /** FNV-1a, because paths that differ little collide with simpler hashes. */
            private static long folded(long hash, int one) {
                return (hash ^ one) * FNV_PRIME;
            }

            /** Only digits, or more hexadecimal digits than any word has. */
            private static boolean isId(byte[] text, int from, int to) {
                boolean isNumber = to > from;
                boolean isHex = to - from >= LEAST_HEX;
                for (int i = from; i < to && (isNumber || isHex); i++) {
                    byte one = text[i];
                    isNumber &= LogStamps.isDigit(one);
                    isHex &= LogStamps.isDigit(one)
                            || one == '-'
                            || (one >= 'a' && one <= 'f')
                            || (one >= 'A' && one <= 'F');
                }
                return isNumber || isHex;
            }

            /** Without numbers, keys and control characters. */
            private static String generalised(String request) {
                StringBuilder name = new StringBuilder();
                for (String part : request.split("/", -1)) {
                    byte[] text = part.getBytes(StandardCharsets.UTF_8);
                    name.append(name.length() > 0 ? "/" : "").append(isId(text, 0, text.length) ? "{id}" : part);
                }
                return SafeText.line(Redaction.url(name.toString()));
            }

            private int placeOf(String name) {
                boolean isNew = !places.containsKey(name);
                String row = isNew && names.size() >= RequestSet.MOST_NAMES - 1 ? OTHERS : name;
                return places.computeIfAbsent(row, added -> {
                    names.add(added);
                    return names.size() - 1;
                });
            }
        }

        /**
         * Sorts the records of a log by time, in memory and in parts. Logs are written as requests end, so they are
         * nearly or completely sorted. Use once.
         */
        static final class LogSorting {
            private static final int BATCH = 1 << 10;

            private final long[] stamps = new long[LogRecords.MOST_IN_MEMORY];
            private final long[] places = new long[LogRecords.MOST_IN_MEMORY];
            private final int[] names = new int[LogRecords.MOST_IN_MEMORY];
            private final LogRecords runs = new LogRecords();
            private final List<Integer> beginnings = new ArrayList<>();
            private int size;
            private long lastOfRuns = Long.MIN_VALUE;

            void add(long stamp, long place, int name) throws IOException {
                if (size == stamps.length) {
                    endRun();
                }
                stamps[size] = stamp;
                places[size] = place;
                names[size] = name;
                size++;
            }

            int count() {
                return runs.count() + size;
            }

            private void endRun() throws IOException {
                boolean isSorted = true;
                for (int i = 1; isSorted && i < size; i++) {
                    isSorted = stamps[i - 1] <= stamps[i];
                }
                int[] order = isSorted
                        ? IntStream.range(0, size).toArray()
                        : IntStream.range(0, size)
                                .boxed()
                                .sorted(Comparator.comparingLong(i -> stamps[i]))
                                .mapToInt(i -> i)
                                .toArray();
                if (size > 0 && (beginnings.isEmpty() || stamps[order[0]] < lastOfRuns)) {
                    beginnings.add(runs.count()); // otherwise it continues at the end of the previous one
                }
                for (int i : order) {
                    runs.append(stamps[i], places[i], names[i]);
                }
                lastOfRuns = size > 0 ? stamps[order[size - 1]] : lastOfRuns;
                size = 0;
            }

            /**
             * All records in time order, as offsets from the first. Requests with equal stamps are spread randomly over
             * the resolution: a Poisson process given their number.
             */
            LogRecords sorted(long resolutionNanos, long seed) throws IOException {
                endRun();
                LogRecords sorted = new LogRecords();
                Merge ahead = new Merge();
                Merge behind = new Merge();
                boolean isAny = ahead.next();
                long origin = isAny ? ahead.first().nanos() : 0;
                long firstOffset = -1;
                for (int from = 0; isAny; ) {
                    long stamp = ahead.first().nanos();
                    int equalStamps = 0;
                    for (; isAny && ahead.first().nanos() == stamp; isAny = ahead.next()) {
                        equalStamps++;
                    }
                    boolean isAlone = equalStamps == 1 && resolutionNanos < LogStamps.SECOND_NANOS;
                    double offsetShare = 0;
                    for (int left = equalStamps; left > 0; left--) {
                        double chance = (SplitMix64.mix(SplitMix64.mix(seed + from) + left * SplitMix64.STEP) >>> 11)
                                * 0x1.0p-53;
                        offsetShare = 1
                                - (1 - offsetShare)
                                        * Math.pow(1 - chance, 1.0 / left); // the smallest of the remaining ones
                        long offset = stamp - origin + (isAlone ? 0 : (long) (offsetShare * resolutionNanos));
                        firstOffset = firstOffset < 0 ? offset : firstOffset;
                        behind.next();
                        sorted.append(
                                offset - firstOffset,
                                behind.first().place(),
                                behind.first().name());
                    }
                    from += equalStamps;
                }
                runs.close();
                return sorted;
            }

            /** Merges the runs; for equal stamps, earlier runs come first. */
            private final class Merge {
                private final PriorityQueue<Integer> byStamp;
                private final List<LogRecords.Cursor> cursors = new ArrayList<>();
                private boolean hasBegun;

                Merge() {
                    byStamp = new PriorityQueue<>(Comparator.<Integer>comparingLong(
                                    run -> cursors.get(run).nanos())
                            .thenComparing(run -> run));
                    for (int run = 0; run < beginnings.size(); run++) {
                        int until = run + 1 < beginnings.size() ? beginnings.get(run + 1) : runs.count();
                        cursors.add(runs.cursor(beginnings.get(run), until, BATCH));
                    }
                }

                boolean next() {
                    if (!hasBegun) {
                        hasBegun = true;
                        for (int run = 0; run < cursors.size(); run++) {
                            cursors.get(run).next();
                            byStamp.add(run);
                        }
                        return !byStamp.isEmpty();
                    }
                    if (cursors.size() == 1) {
                        return cursors.get(0).next();
                    }
                    int run = byStamp.remove();
                    if (cursors.get(run).next()) {
                        byStamp.add(run);
                    }
                    return !byStamp.isEmpty();
                }

                LogRecords.Cursor first() {
                    return cursors.size() == 1 ? cursors.get(0) : cursors.get(byStamp.element());
                }
            }
        }
    }
}
