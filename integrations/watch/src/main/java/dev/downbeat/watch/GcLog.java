package dev.downbeat.watch;

import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.Overlaps;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a JVM's log of collections and safepoints ({@code -Xlog:gc*,safepoint}, JDK 11 and newer, any collector). A
 * pause is logged at its end, with its length. Lines with a date ({@code time}, {@code utctime}, {@code timemillis})
 * are self-contained. Lines with uptime only need the JVM's start: given, or derived from the file's last modification,
 * which is its last line.
 */
public final class GcLog {
    private static final long UNCERTAINTY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long GUESSED_UNCERTAINTY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LEAST_STOP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** "GC(7) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.456ms", preceded by "y: " in newer ZGC. */
    private static final Pattern PAUSE = Pattern.compile(
            "(?:GC\\(\\d+\\) )?(?:[yYoOmM]: )?(Pause .*?)(?: \\d+[KMG]?(?:\\([^)]*\\))?->\\S+)? (\\d{1,10})[.,](\\d{3})ms");

    private static final Pattern STALL = Pattern.compile("Allocation Stall \\((.*)\\) (\\d{1,10})[.,](\\d{3})ms");

    /** Since JDK 13. */
    private static final Pattern SAFEPOINT = Pattern.compile("Safepoint \"([^\"]+)\",.* Total: *(\\d{1,18}) ns.*");

    private static final Pattern SAFEPOINT_11 =
            Pattern.compile("Total time for which application threads were stopped: (\\d{1,9})[.,](\\d{7}) seconds,.*");

    private final EventLog pauses = new EventLog();
    private final EventLog safepoints = new EventLog();
    private long lines;
    private boolean dated;
    private long firstNanos;
    private long lastNanos;

    private GcLog() {}

    /**
     * The events of a run.
     *
     * @param jvmStart start of the JVM, for lines without a date; empty if unknown
     * @throws IOException with one line, if the file cannot be read or contains no such line
     */
    public static WatchResult read(Path file, RunTime run, Optional<Instant> jvmStart) throws IOException {
        String source = String.valueOf(file.getFileName());
        GcLog log = new GcLog();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                GcLogLine.of(line).ifPresent(log::take);
            }
        }
        if (log.lines == 0) {
            throw new IOException(file + " has no timestamped JVM log lines, as written by -Xlog:gc*");
        }
        List<String> notes = new ArrayList<>();
        long shift = 0;
        long uncertainty = UNCERTAINTY_NANOS;
        if (!log.dated) {
            shift = jvmStart.map(FlightEvents::nanos).orElse(0L);
            if (jvmStart.isEmpty()) {
                shift = FlightEvents.nanos(Files.getLastModifiedTime(file).toInstant()) - log.lastNanos;
                uncertainty = GUESSED_UNCERTAINTY_NANOS;
                notes.add("it has no dates: the JVM's start is taken from when the file was last written;"
                        + " --gc-log-start sets it");
            }
        }
        Optional<String> missed = run.missedBy(log.firstNanos + shift, log.lastNanos + shift);
        if (missed.isPresent()) {
            notes.add(0, missed.get());
            return new WatchResult(source, List.of(), 0, 0, 0, notes);
        }
        List<Event> events = run.ofRun(moved(log.events(), shift));
        if (log.pauses.events().isEmpty()) {
            notes.add("it has no pauses: use -Xlog:gc*,safepoint, which logs those of all collectors");
        }
        log.pauses.note().ifPresent(notes::add);
        long from = Math.min(run.durationNanos(), Math.max(0, log.firstNanos + shift - run.startNanos()));
        return new WatchResult(source, events, from, run.durationNanos(), uncertainty, notes);
    }

    private static List<Event> moved(List<Event> events, long shift) {
        return events.stream()
                .map(event -> new Event(event.kind(), event.startNanos() + shift, event.lengthNanos(), event.detail()))
                .toList();
    }

    private List<Event> events() {
        List<Event> all = new ArrayList<>(pauses.events());
        all.addAll(Overlaps.notCovered(safepoints.events(), pauses.events()));
        return all;
    }

    private void take(GcLogLine line) {
        OptionalLong at = line.atNanos().isPresent() ? line.atNanos() : line.uptimeNanos();
        if (at.isEmpty()) {
            return;
        }
        lastNanos = at.getAsLong();
        if (lines++ == 0) {
            dated = line.atNanos().isPresent();
            firstNanos = lastNanos;
        }
        Matcher pause = PAUSE.matcher(line.message());
        Matcher stall = STALL.matcher(line.message());
        if (pause.matches()) {
            String what = pause.group(1);
            add(
                    what.startsWith("Pause Full") ? EventKind.FULL_COLLECTION : EventKind.COLLECTION_PAUSE,
                    micros(pause.group(2), pause.group(3)),
                    what.substring("Pause ".length()));
        } else if (stall.matches()) {
            add(EventKind.ALLOCATION_STALL, micros(stall.group(2), stall.group(3)), stall.group(1));
        } else {
            safepoint(line.message());
        }
    }

    private void safepoint(String message) {
        Matcher now = SAFEPOINT.matcher(message);
        Matcher old = SAFEPOINT_11.matcher(message);
        if (now.matches()) {
            stopped(Long.parseLong(now.group(2)), now.group(1));
        } else if (old.matches()) {
            stopped(Long.parseLong(old.group(1)) * 1_000_000_000L + Long.parseLong(old.group(2)) * 100, "");
        }
    }

    private void stopped(long nanos, String why) {
        if (nanos >= LEAST_STOP_NANOS) {
            safepoints.add(EventKind.SAFEPOINT, lastNanos - nanos, nanos, why);
        }
    }

    private void add(EventKind kind, long lengthNanos, String detail) {
        pauses.add(kind, lastNanos - lengthNanos, lengthNanos, detail);
    }

    private static long micros(String millis, String thousandths) {
        return (Long.parseLong(millis) * 1000 + Long.parseLong(thousandths)) * 1000;
    }

    /**
     * A line of unified logging (JEP 158): decorations in brackets, then a message.
     *
     * @param atNanos since 1970, if the line has it
     * @param uptimeNanos since the JVM's start, if the line has it
     */
    private record GcLogLine(OptionalLong atNanos, OptionalLong uptimeNanos, String message) {
        private static final Pattern DECORATIONS = Pattern.compile("^((?:\\[[^\\]]*\\])+) ?(.*)$");
        private static final Pattern DATE =
                Pattern.compile("\\[(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)[.,](\\d{3})([+-]\\d{4})\\s*\\]");
        private static final Pattern MILLIS = Pattern.compile("\\[(\\d{12,15})ms\\s*\\]");
        private static final Pattern UPTIME = Pattern.compile("\\[(\\d{1,9})[.,](\\d{3})s\\s*\\]");
        private static final Pattern UPTIME_MILLIS = Pattern.compile("\\[(\\d{1,11})ms\\s*\\]");
        private static final DateTimeFormatter FORMAT =
                DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT);
        private static final long PER_MILLI = 1_000_000;

        /** Parses a line; empty if it has another form. */
        static Optional<GcLogLine> of(String line) {
            Matcher matcher = DECORATIONS.matcher(line);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            String decorations = matcher.group(1);
            OptionalLong at = date(decorations);
            return Optional.of(new GcLogLine(
                    at.isPresent() ? at : number(MILLIS, decorations),
                    uptime(decorations),
                    matcher.group(2).strip()));
        }

        private static OptionalLong date(String decorations) {
            Matcher matcher = DATE.matcher(decorations);
            if (!matcher.find()) {
                return OptionalLong.empty();
            }
            try {
                return OptionalLong.of(FlightEvents.nanos(
                        FORMAT.parse(matcher.group(1) + "." + matcher.group(2) + matcher.group(3), Instant::from)));
            } catch (DateTimeException noDate) {
                return OptionalLong.empty();
            }
        }

        private static OptionalLong uptime(String decorations) {
            Matcher matcher = UPTIME.matcher(decorations);
            return matcher.find()
                    ? OptionalLong.of(
                            (Long.parseLong(matcher.group(1)) * 1000 + Long.parseLong(matcher.group(2))) * PER_MILLI)
                    : number(UPTIME_MILLIS, decorations);
        }

        private static OptionalLong number(Pattern pattern, String decorations) {
            Matcher matcher = pattern.matcher(decorations);
            return matcher.find()
                    ? OptionalLong.of(Long.parseLong(matcher.group(1)) * PER_MILLI)
                    : OptionalLong.empty();
        }
    }
}
