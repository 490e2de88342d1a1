package dev.downbeat.report.file;

import dev.downbeat.exchange.Plain;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.Tallies;
import dev.downbeat.record.Waits;
import dev.downbeat.report.file.tree.ForeignFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Reads a histogram log line by line. HdrHistogram's own reader takes what is cut off or garbled for the end of the log;
 * here it must come to light. Used once.
 */
final class HistogramLogReading {
    private static final Pattern STARTED = Pattern.compile("\\[StartTime: (\\d{1,12}\\.\\d{3}) .*");
    static final String CORRECTED = "already corrected for coordinated omission";
    private static final Set<String> OF_NAMES =
            Set.of(HistogramLog.REQUEST, HistogramLog.REQUEST_FAILED, HistogramLog.REQUEST_CENSORED);

    /** No log has it: of the requests of a name neither service times are kept, nor what is ours. */
    private static final String NOT_KEPT = "request-none:";

    private static final int MOST_LINES = 10_000_000;

    private final String name;
    private final Map<String, String> facts = new TreeMap<>();
    private final List<Stretch> stretches = new ArrayList<>();
    private boolean corrected;
    private boolean partial;
    private final CRC32 sum = new CRC32();
    private boolean isChecked;
    private int lineNumber;

    /** Characters that may still come: what is read of them takes a few times as much. */
    private long room = 2 * ForeignFile.room();

    HistogramLogReading(String name) {
        this.name = name;
    }

    /** Lines of the same time; the key is the tag, empty for none. */
    private static final class Stretch {
        final long startNanos;
        final long endNanos;
        final Map<String, Distribution> series = new TreeMap<>();

        Stretch(long startNanos, long endNanos) {
            this.startNanos = startNanos;
            this.endNanos = endNanos;
        }

        Distribution of(String tag) {
            return series.getOrDefault(tag, Distribution.empty());
        }

        Interval interval() {
            Recording counted = counted(
                            "",
                            "service",
                            HistogramLog.WITHOUT_OURS,
                            "failed",
                            "censored",
                            HistogramLog.CENSORED_WITHOUT_OURS)
                    .withWaits(Waits.of(of("lateness"), of("backlog_wait")))
                    .withNames(names());
            return new Interval(startNanos, endNanos, counted);
        }

        private Recording counted(
                String response,
                String service,
                String withoutOurs,
                String failed,
                String censored,
                String censoredWithoutOurs) {
            long answers = of(response).count();
            long failures = of(failed).count();
            long unseen = of(censored).count();
            return Recording.of(
                    new Ledger(answers + failures + unseen, answers, failures, unseen, 0, 0, 0),
                    new ResponseTimes(
                            of(response),
                            of(service),
                            of(withoutOurs),
                            of(failed),
                            of(censored),
                            of(censoredWithoutOurs),
                            Distribution.empty()),
                    Tallies.NONE);
        }

        private Map<String, Recording> names() {
            Map<String, Recording> names = new TreeMap<>();
            for (String tag : series.keySet()) {
                int colon = tag.indexOf(':') + 1;
                if (OF_NAMES.contains(tag.substring(0, colon))) {
                    String of = tag.substring(colon);
                    names.put(
                            Plain.line(HistogramLog.name(of)),
                            counted(
                                    HistogramLog.REQUEST + of,
                                    NOT_KEPT,
                                    NOT_KEPT,
                                    HistogramLog.REQUEST_FAILED + of,
                                    HistogramLog.REQUEST_CENSORED + of,
                                    NOT_KEPT));
                }
            }
            return names;
        }
    }

    SavedRun read(BufferedReader lines) throws IOException {
        for (String line = next(lines); line != null; line = next(lines)) {
            lineNumber++;
            if (line.startsWith(HistogramLog.FIRST)) {
                sum.reset(); // who keeps a log may have put a line of his own before it, as JUnit's baselines do
            }
            if (line.startsWith(HistogramLog.LAST)) {
                checkSum(line.substring(HistogramLog.LAST.length()));
            } else {
                sum.update((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
            if (lineNumber > MOST_LINES) {
                throw new IOException(name + " has more than " + MOST_LINES + " lines");
            }
            if (line.startsWith("#")) {
                comment(line.substring(1).strip());
            } else if (!line.isBlank() && !line.startsWith("\"StartTimestamp\"")) {
                data(line);
            }
        }
        if (stretches.isEmpty()) {
            throw new IOException(name + " is not a histogram log with intervals: save a run with -o NAME.hlog");
        }
        if (!isChecked && facts.containsKey("log.checksum")) {
            throw new IOException(name + " is cut off or was changed: its last line, with the checksum, is missing");
        }
        List<Interval> intervals = stretches.stream().map(Stretch::interval).toList();
        refuseIfCutOff(intervals);
        return new SavedRun(name, corrected, partial, facts, intervals);
    }

    /** Ours say at the top how many requests the whole log tells of. */
    private void refuseIfCutOff(List<Interval> intervals) throws IOException {
        String answered = facts.get("ledger.answered");
        long seen = intervals.stream()
                .mapToLong(interval -> interval.recording().ledger().answered())
                .sum();
        if (answered != null && !answered.equals(Long.toString(seen))) {
            throw new IOException(name + " is cut off or was changed: it says " + answered
                    + " answered requests, and its intervals have " + seen);
        }
    }

    private void checkSum(String expected) throws IOException {
        if (!expected.strip().equals(Long.toHexString(sum.getValue()))
                || !facts.containsKey("log.checksum")
                || isChecked) {
            throw new IOException(name + " is garbled or was changed: its checksum is wrong");
        }
        isChecked = true;
    }

    /** Without its end, and without what commands a terminal; null at the end. */
    private @Nullable String next(BufferedReader lines) throws IOException {
        StringBuilder line = new StringBuilder();
        int c = lines.read();
        if (c < 0) {
            return null;
        }
        for (; c >= 0 && c != '\n'; c = lines.read()) {
            if (line.length() >= room) {
                throw new IOException(name + " needs more memory than there is");
            }
            line.append((char) c);
        }
        room -= line.length();
        int end = line.length() > 0 && line.charAt(line.length() - 1) == '\r' ? line.length() - 1 : line.length();
        return line.substring(0, end);
    }

    private void comment(String text) {
        corrected |= text.contains(CORRECTED);
        partial |= text.startsWith("INTERRUPTED") || text.startsWith("BROKEN") || text.startsWith("CUT OFF");
        Matcher started = STARTED.matcher(text);
        if (started.matches()) {
            facts.put("log.started", started.group(1));
        }
        int colon = text.indexOf(": ");
        if (!text.startsWith(HistogramLog.FACTS) || colon < 0) {
            return;
        }
        String group = text.substring(HistogramLog.FACTS.length(), colon);
        for (String fact : text.substring(colon + 2).split(" ", -1)) {
            int equals = fact.indexOf('=');
            if (equals > 0) {
                facts.put(Plain.line(group + "." + fact.substring(0, equals)), Plain.line(fact.substring(equals + 1)));
            }
        }
    }

    private void data(String line) throws IOException {
        try {
            boolean tagged = line.startsWith("Tag=");
            String[] cells = line.split(",", -1);
            int first = tagged ? 1 : 0;
            if (cells.length != first + 4) {
                throw garbled();
            }
            long startNanos = nanos(cells[first]);
            long endNanos = startNanos + nanos(cells[first + 1]);
            Distribution times = Distribution.of(histogram(cells[first + 3]));
            Stretch last = stretches.isEmpty() ? null : stretches.get(stretches.size() - 1);
            if (last == null || last.startNanos != startNanos) {
                last = new Stretch(startNanos, endNanos);
                stretches.add(last);
            }
            last.series.merge(tagged ? cells[0].substring(4) : "", times, Distribution::plus);
        } catch (RuntimeException | DataFormatException broken) {
            throw garbled();
        }
    }

    private IOException garbled() {
        return new IOException(
                lineNumber == 1 && facts.isEmpty()
                        ? name + " is not a histogram log: save a run with -o NAME.hlog"
                        : name + ": line " + lineNumber + " is garbled or cut off");
    }

    private static long nanos(String seconds) {
        double nanos = Double.parseDouble(seconds) * 1e9;
        if (!(nanos >= 0 && nanos < Long.MAX_VALUE / 4.0)) {
            throw new NumberFormatException(seconds);
        }
        return Math.round(nanos);
    }

    private static Histogram histogram(String encoded) throws DataFormatException {
        return Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(encoded)), 0);
    }
}
