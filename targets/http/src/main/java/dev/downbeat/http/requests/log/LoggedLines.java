package dev.downbeat.http.requests.log;

import dev.downbeat.arrival.RecordedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.requests.RequestTemplate;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
    private static final Map<Read, LoggedLines> LAST = new HashMap<>(2);

    private static final int AT_ONCE = 1 << 8;

    private final LogRecords records;
    private final LogText text;
    private final List<String> names;
    private final List<String> notes;

    /** The key of the cache. */
    private record Read(Path file, Optional<LogFormat> format, long size, FileTime modified, long seed) {}

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
        Read wanted = new Read(file, format, Files.size(file), Files.getLastModifiedTime(file), seed);
        synchronized (LAST) {
            LoggedLines same = LAST.get(wanted);
            if (same == null) {
                LAST.clear();
                same = readAnew(file, format.orElse(null), seed);
                LAST.put(wanted, same);
            }
            return same;
        }
    }

    /** The file stays open, because its requests are read during the run. */
    private static LoggedLines readAnew(Path file, @Nullable LogFormat format, long seed) throws IOException {
        FileChannel log = FileChannel.open(file, StandardOpenOption.READ);
        String name = String.valueOf(file.getFileName());
        LogReader reader = new LogReader(log, format);
        reader.readAll();
        if (reader.found().count() == 0) {
            log.close();
            throw new IllegalArgumentException(
                    format == null
                            ? name + ": no line has a time and a request, such as [10/Oct/2000:13:55:36"
                                    + " -0700] \"GET /path HTTP/1.1\"; say --times-only for times alone, or how lines are"
                                    + " written with --log-format"
                            : name + ": no line is written like " + format.text());
        }
        List<String> notes = notes(reader, name);
        LogRecords records = reader.found().sorted(reader.resolutionNanos(), seed);
        List<byte[]> methods = reader.torn().stream()
                .map(method -> RequestTemplate.ascii(method + " "))
                .toList();
        LogText text = new LogText(log, records, methods, format == null ? (byte) '\n' : format.afterPath());
        return new LoggedLines(records, text, reader.names(), notes);
    }

    private static List<String> notes(LogReader reader, String name) {
        Optional<String> left = reader.unreadable() == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "%s: %,d of %,d lines have no time or no request and are left out; the first is line %,d",
                        name,
                        reader.unreadable(),
                        reader.unreadable() + reader.found().count(),
                        reader.firstUnreadable()));
        Optional<String> seconds = reader.resolutionNanos() < LogStamps.SECOND_NANOS
                ? Optional.empty()
                : Optional.of(name + ": its stamps are whole seconds; requests are spread at random within each");
        return Stream.of(left, seconds).flatMap(Optional::stream).toList();
    }

    /** The number of lines. */
    public int count() {
        return records.count();
    }

    /** The intended starts. */
    public Replay times() {
        LogRecords.Cursor all = records.cursor(0, records.count(), AT_ONCE);
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
            LogRecords.Cursor cursor = records.cursor(0, 0, AT_ONCE);
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

    /** The number of lines beyond which memory does not grow with the file. */
    int linesInMemory() {
        return text.linesInMemory();
    }

    List<String> names() {
        return names;
    }

    int nameOf(long index) {
        return text.nameOf((int) (index % records.count()));
    }

    /** Appends the method and the target, separated by a blank. */
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
}
