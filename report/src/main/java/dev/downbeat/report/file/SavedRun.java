package dev.downbeat.report.file;

import dev.downbeat.compare.ComparedRun;
import dev.downbeat.compare.ComparedRun.RequestedLoad;
import dev.downbeat.compare.Host;
import dev.downbeat.compare.Incomparable;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.WaitTimes;
import dev.downbeat.report.file.tree.UntrustedFile;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.RunVerdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A run as its {@link HistogramLogFile} contains it. Other tools' logs can be read too, without the facts in Downbeat's
 * first lines.
 *
 * @param name name of the log
 * @param isCorrected whether the log states that times count from the intended times
 * @param isPartial whether the run was cut short
 * @param facts facts of the first lines by name. They are {@code plan.workload}, {@code plan.window_ns} in which
 *     requests were planned, {@code plan.per_s} that was asked for with sessions, {@code ledger.planned} and the other fates, {@code verdict.measurement},
 *     {@code verdict.doubts}, {@code log.started} in seconds since 1970, and {@code host.} with the machine
 * @param intervals in order, with the series that the log contains. Their ledgers contain answered, failed and censored
 *     requests, the latter as timed out
 */
public record SavedRun(
        String name, boolean isCorrected, boolean isPartial, Map<String, String> facts, List<Interval> intervals) {
    private static final String HOST = "host.";
    private static final String LOAD = "load.";

    public SavedRun {
        facts = Map.copyOf(new TreeMap<>(facts));
        intervals = List.copyOf(intervals);
    }

    /**
     * Reads a log.
     *
     * @param name its name for messages
     * @throws IOException if it is not a histogram log, corrupt or incomplete; its message is one clear line
     */
    public static SavedRun read(BufferedReader lines, String name) throws IOException {
        try {
            return new Reading(name).read(lines);
        } catch (CharacterCodingException binary) {
            throw new IOException(
                    name + " is not text, so it is not a histogram log or is corrupt: save a run with -o NAME.hlog",
                    binary);
        }
    }

    private static String noLog(String name) {
        return name + " is not a histogram log: save a run with -o NAME.hlog";
    }

    /** A numeric fact; empty if it is missing or not a number. */
    public OptionalDouble number(String fact) {
        try {
            return facts.containsKey(fact)
                    ? OptionalDouble.of(Double.parseDouble(facts.get(fact)))
                    : OptionalDouble.empty();
        } catch (NumberFormatException corrupt) {
            return OptionalDouble.empty();
        }
    }

    /** The run for a comparison, with reasons against comparing it. */
    public ComparedRun compared() {
        List<Incomparable> doubts = new ArrayList<>();
        if (!isCorrected) {
            doubts.add(new Incomparable(
                    Incomparable.Kind.UNCORRECTED,
                    name + " does not state that times count from the intended start; it may omit slow requests"
                            + " (coordinated omission)"));
        }
        boolean isUnsound = RunVerdict.Soundness.UNSOUND.word().equals(facts.get("verdict.measurement"));
        if (isUnsound) {
            String codes = facts.getOrDefault("verdict.doubts", "");
            Incomparable unsound = ComparedRun.unsound(name, codes.isEmpty() ? List.of() : List.of(codes.split(",")));
            doubts.add("yes".equals(facts.get("verdict.bounded")) ? unsound.ofOwnDelay() : unsound);
        }
        boolean isSilent = doubts.stream().anyMatch(doubt -> doubt.kind() == Incomparable.Kind.NOTHING_ANSWERED);
        if (isPartial && (!isUnsound || isSilent)) {
            doubts.add(new Incomparable(Incomparable.Kind.PARTIAL, name + " ended early"));
        }
        ComparedRun.unsteady(name, intervals).ifPresent(doubts::add);
        return new ComparedRun(
                        name,
                        ComparedRun.stretches(intervals),
                        facts.getOrDefault("plan.workload", ""),
                        "closed".equals(facts.get("plan.workload")) ? OptionalDouble.empty() : ratePerSecond(),
                        doubts)
                .withHost(host())
                .withRequestedLoad(new RequestedLoad(group(LOAD)))
                .withLength(ComparedRun.lengthNanos(intervals));
    }

    /** The machine, if the log contains it. */
    public Host host() {
        return new Host(group(HOST));
    }

    private Map<String, String> group(String prefix) {
        Map<String, String> known = new TreeMap<>();
        facts.forEach((fact, value) -> {
            if (fact.startsWith(prefix)) {
                known.put(fact.substring(prefix.length()), value);
            }
        });
        return known;
    }

    /** The start time, if the log contains it. */
    public Optional<Instant> started() {
        OptionalDouble seconds = number("log.started");
        return seconds.isPresent()
                ? Optional.of(Instant.ofEpochMilli(Math.round(seconds.getAsDouble() * 1_000)))
                : Optional.empty();
    }

    /** As asked for with sessions; else planned, over the planned time or, if that is unknown, the intervals. */
    private OptionalDouble ratePerSecond() {
        OptionalDouble ofSessions = number("plan.per_s");
        if (ofSessions.isPresent()) {
            return ofSessions;
        }
        long seen = intervals.stream()
                .mapToLong(interval -> interval.recording().ledger().planned())
                .sum();
        long lengthNanos = intervals.isEmpty()
                ? 0
                : intervals.get(intervals.size() - 1).endNanos()
                        - intervals.get(0).startNanos();
        double windowNanos = number("plan.window_ns").orElse((double) lengthNanos);
        return windowNanos > 0
                ? OptionalDouble.of(number("ledger.planned").orElse((double) seen) * 1e9 / windowNanos)
                : OptionalDouble.empty();
    }

    /**
     * Reads a histogram log line by line. HdrHistogram's reader takes a corrupt line for the end of the log; here it is
     * an error. Use once.
     */
    static final class Reading {
        private static final Pattern STARTED = Pattern.compile("\\[StartTime: (\\d{1,12}\\.\\d{3}) .*");
        static final String CORRECTED = "already corrected for coordinated omission";
        private static final Set<String> OF_NAMES =
                Set.of(HistogramLogFile.REQUEST, HistogramLogFile.REQUEST_FAILED, HistogramLogFile.REQUEST_CENSORED);

        /** A tag that no log contains, for series that are not saved by request name. */
        private static final String NO_SUCH_TAG = "request-none:";

        private static final int MOST_LINES = 10_000_000;

        private final String name;
        private final Map<String, String> facts = new TreeMap<>();
        private final List<LogInterval> logIntervals = new ArrayList<>();
        private boolean corrected;

        /** By its words, for logs of older versions, which do not have the fact. */
        private boolean seemsPartial;

        private final CRC32 sum = new CRC32();
        private boolean isChecked;
        private int lineNumber;

        /** The remaining number of characters; parsed data takes several times as much memory. */
        private long charactersLeft = 2 * UntrustedFile.memoryLimit();

        Reading(String name) {
            this.name = name;
        }

        /** Lines of one interval by tag; the empty key is for untagged ones. */
        private static final class LogInterval {
            final long startNanos;
            long endNanos;
            final Map<String, Distribution> series = new TreeMap<>();

            LogInterval(long startNanos, long endNanos) {
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
                                HistogramLogFile.WITHOUT_OWN_DELAY,
                                "failed",
                                "censored",
                                HistogramLogFile.CENSORED_WITHOUT_OWN_DELAY)
                        .withWaits(WaitTimes.of(of("lateness"), of("backlog_wait")))
                        .withNames(names());
                return new Interval(startNanos, endNanos, counted);
            }

            private Recording counted(
                    String response,
                    String service,
                    String withoutOwnDelay,
                    String failed,
                    String censored,
                    String censoredWithoutOwnDelay) {
                long answers = of(response).count();
                long failures = of(failed).count();
                long unseen = of(censored).count();
                return Recording.of(
                        new Ledger(answers + failures + unseen, answers, failures, unseen, 0, 0, 0),
                        new ResponseTimes(
                                of(response),
                                of(service),
                                of(withoutOwnDelay),
                                of(failed),
                                of(censored),
                                of(censoredWithoutOwnDelay),
                                Distribution.empty()),
                        OutcomeCounts.NONE);
            }

            private Map<String, Recording> names() {
                Map<String, Recording> names = new TreeMap<>();
                for (String tag : series.keySet()) {
                    int colon = tag.indexOf(':') + 1;
                    if (OF_NAMES.contains(tag.substring(0, colon))) {
                        String of = tag.substring(colon);
                        names.put(
                                SafeText.line(HistogramLogFile.name(of)),
                                counted(
                                        HistogramLogFile.REQUEST + of,
                                        NO_SUCH_TAG,
                                        NO_SUCH_TAG,
                                        HistogramLogFile.REQUEST_FAILED + of,
                                        HistogramLogFile.REQUEST_CENSORED + of,
                                        NO_SUCH_TAG));
                    }
                }
                return names;
            }
        }

        SavedRun read(BufferedReader lines) throws IOException {
            for (String line = next(lines); line != null; line = next(lines)) {
                lineNumber++;
                if (line.startsWith(HistogramLogFile.FIRST)) {
                    sum.reset(); // users may have put a line of their own before it, as JUnit's baselines do
                }
                if (line.startsWith(HistogramLogFile.LAST)) {
                    checkSum(line.substring(HistogramLogFile.LAST.length()));
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
            if (logIntervals.isEmpty()) {
                throw new IOException(noLog(name));
            }
            if (!isChecked && facts.containsKey("log.checksum")) {
                throw new IOException(
                        name + " is cut off or was changed: its last line, with the checksum, is missing");
            }
            List<Interval> intervals =
                    logIntervals.stream().map(LogInterval::interval).toList();
            refuseIfCutOff(intervals);
            String ending = facts.get(HistogramLogFile.ENDING);
            boolean partial = ending == null
                    ? seemsPartial
                    : !RunSpan.Ending.COMPLETE.name().equalsIgnoreCase(ending);
            return new SavedRun(name, corrected, partial, facts, intervals);
        }

        /** Compares the number of requests with that in Downbeat's first lines. */
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
                throw new IOException(name + " is corrupt or was changed: its checksum is wrong");
            }
            isChecked = true;
        }

        /** The next line without its end; null at the end. */
        private @Nullable String next(BufferedReader lines) throws IOException {
            StringBuilder line = new StringBuilder();
            int c = lines.read();
            if (c < 0) {
                return null;
            }
            for (; c >= 0 && c != '\n'; c = lines.read()) {
                if (line.length() >= charactersLeft) {
                    throw new IOException(name + " is too large for the memory available; raise -Xmx");
                }
                line.append((char) c);
            }
            charactersLeft -= line.length();
            int end = line.length() > 0 && line.charAt(line.length() - 1) == '\r' ? line.length() - 1 : line.length();
            return line.substring(0, end);
        }

        private void comment(String text) {
            corrected |= text.contains(CORRECTED);
            seemsPartial |= text.startsWith("INTERRUPTED") || text.startsWith("BROKEN") || text.startsWith("CUT OFF");
            Matcher started = STARTED.matcher(text);
            if (started.matches()) {
                facts.put("log.started", started.group(1));
            }
            int colon = text.indexOf(": ");
            if (!text.startsWith(HistogramLogFile.FACTS) || colon < 0) {
                return;
            }
            String group = text.substring(HistogramLogFile.FACTS.length(), colon);
            for (String fact : text.substring(colon + 2).split(" ", -1)) {
                int equals = fact.indexOf('=');
                if (equals > 0) {
                    facts.put(
                            SafeText.line(group + "." + fact.substring(0, equals)),
                            SafeText.line(fact.substring(equals + 1)));
                }
            }
        }

        private void data(String line) throws IOException {
            try {
                boolean tagged = line.startsWith("Tag=");
                String[] cells = line.split(",", -1);
                int first = tagged ? 1 : 0;
                if (cells.length != first + 4) {
                    throw corrupt();
                }
                long startNanos = nanos(cells[first]);
                long endNanos = startNanos + nanos(cells[first + 1]);
                Distribution times = Distribution.of(histogram(cells[first + 3]));
                LogInterval last = logIntervals.isEmpty() ? null : logIntervals.get(logIntervals.size() - 1);
                if (last == null || last.startNanos != startNanos) {
                    last = new LogInterval(startNanos, endNanos);
                    logIntervals.add(last);
                }
                last.endNanos = Math.max(last.endNanos, endNanos); // shorter than a log's milliseconds: both are one
                last.series.merge(tagged ? cells[0].substring(4) : "", times, Distribution::plus);
            } catch (RuntimeException | DataFormatException broken) {
                throw corrupt();
            }
        }

        private IOException corrupt() {
            return new IOException(
                    lineNumber == 1 && facts.isEmpty()
                            ? noLog(name)
                            : name + ": line " + lineNumber + " is corrupt or cut off");
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
}
