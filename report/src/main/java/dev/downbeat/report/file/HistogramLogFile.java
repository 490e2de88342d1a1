package dev.downbeat.report.file;

import dev.downbeat.compare.ComparedRun.RequestedLoad;
import dev.downbeat.compare.Host;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.RunReport.ReportFormat;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.render.Lines;
import dev.downbeat.report.view.RunFacts;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.caveat.Caveat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * All intervals in HdrHistogram's log format 1.3, for its tools. Values are nanoseconds, the column of maxima is
 * milliseconds, timestamps are seconds from the start of the run. Untagged lines are response times of answered
 * requests. Other series are tagged {@code service}, {@code lateness}, {@code backlog_wait}, {@code censored} and
 * {@code failed}; those of request names {@code request:}, {@code request-failed:} and {@code request-censored:} with
 * the name. Empty tagged lines are omitted. {@link SavedRun} reads the file.
 */
public final class HistogramLogFile implements ReportFormat {
    /** The comment about what the times count from; {@link SavedRun} looks for its second half. */
    public static final String CORRECTED =
            "Times count from the intended times: already corrected for coordinated omission, do not correct again.";

    /** Starts a comment for programs: a group of facts, each as {@code name=value}. */
    static final String FACTS = "downbeat ";

    /** The fact that says how the run ended, as the name of its {@link RunSpan.Ending}. */
    static final String ENDING = "plan.ending";

    /** Starts the first line. */
    static final String FIRST = "#[Downbeat ";

    /** The tag of response times without Downbeat's own delay, written only where that delay is considerable. */
    static final String WITHOUT_OWN_DELAY = "without_ours";

    static final String CENSORED_WITHOUT_OWN_DELAY = "censored_without_ours";

    /** Starts the last line, which has the hexadecimal CRC-32 of everything before it. */
    static final String LAST = "# downbeat end: crc32=";

    /** Starts the tag of a request name's response times; characters that would end a tag are percent-encoded. */
    static final String REQUEST = "request:";

    static final String REQUEST_FAILED = "request-failed:";
    static final String REQUEST_CENSORED = "request-censored:";

    private static final DateTimeFormatter MOMENT = DateTimeFormatter.ofPattern(
                    "EEE MMM dd HH:mm:ss 'UTC' uuuu", Locale.US)
            .withZone(ZoneOffset.UTC);

    private static final Pattern ENDS_TAG = Pattern.compile("[,\\s%]");
    private static final Pattern ESCAPED = Pattern.compile("%([0-9A-F]{2})");

    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        // one interval at a time, so that a long run is not in memory twice
        CRC32 sum = new CRC32();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter log = new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        head(report, log);
        flush(bytes, sum, out);
        boolean hasOwnDelay = !report.verdict().rows().isAll();
        LogLine line = new LogLine(log);
        for (Interval interval : report.result().intervals()) {
            interval(interval, line);
            if (hasOwnDelay) {
                line.tagged(
                        WITHOUT_OWN_DELAY,
                        interval,
                        interval.recording().times().withoutLateness());
                line.tagged(
                        CENSORED_WITHOUT_OWN_DELAY,
                        interval,
                        interval.recording().times().censoredWithoutLateness());
            }
            flush(bytes, sum, out);
        }
        out.append(LAST).append(Long.toHexString(sum.getValue())).append('\n');
    }

    private static void flush(ByteArrayOutputStream bytes, CRC32 sum, Appendable out) throws IOException {
        sum.update(bytes.toByteArray());
        out.append(bytes.toString(StandardCharsets.UTF_8));
        bytes.reset();
    }

    private static void head(RunReport report, HistogramLogWriter log) {
        RunResult result = report.result();
        RunFacts facts = new RunFacts(report);
        log.outputComment("[Downbeat " + report.version() + "]");
        comment(log, facts.partial());
        comment(log, result.target());
        comment(log, WorkloadText.line(report));
        comment(log, "ledger: " + facts.ledger());
        comment(log, FACTS + "plan: " + plan(result));
        comment(log, load(result.plan().workload()));
        comment(log, FACTS + "ledger: " + ledger(result.ledger()));
        comment(log, FACTS + "verdict: " + verdict(report.verdict()));
        String host = Host.of(report.machine()).text();
        comment(log, host.isEmpty() ? "" : FACTS + "host: " + host);
        comment(log, FACTS + "log: checksum=last_line");
        comment(log, CORRECTED);
        comment(
                log,
                "No tag: response times of answered requests. Tag=censored: age of unfinished requests (lower bound).");
        log.outputLogFormatVersion();
        log.outputComment(start(result.started()));
        log.outputLegend();
    }

    /** The writer's own has the time zone of this machine. */
    private static String start(Instant started) {
        return String.format(
                Locale.ROOT,
                "[StartTime: %.3f (seconds since epoch), %s]",
                started.toEpochMilli() / 1e3,
                MOMENT.format(started));
    }

    /** A comment that lets comparisons see whether two loads are alike; empty if nothing is known. */
    public static String load(Workload workload) {
        String known = RequestedLoad.of(workload).text();
        return known.isEmpty() ? "" : FACTS + "load: " + known;
    }

    private static String plan(RunResult result) {
        Workload workload = result.plan().workload();
        OptionalDouble ofSessions =
                workload instanceof Workload.PartlyOpen && result.plan().shard().count() == 1
                        ? workload.ratePerSecond()
                        : OptionalDouble.empty();
        return "workload=" + workload.kind() + " window_ns=" + result.windowNanos()
                + (ofSessions.isPresent() ? " per_s=" + ofSessions.getAsDouble() : "") + " ending="
                + result.ending().name().toLowerCase(Locale.ROOT);
    }

    private static String ledger(Ledger ledger) {
        return "planned=" + ledger.planned() + " answered=" + ledger.answered() + " failed=" + ledger.failed()
                + " timed_out=" + ledger.timedOut() + " timed_out_unsent=" + ledger.timedOutUnsent() + " in_flight="
                + ledger.inFlight() + " never_sent=" + ledger.neverSent()
                + (ledger.unconnected() == 0 ? "" : " unconnected=" + ledger.unconnected());
    }

    /** A log contains times and no objectives, so its verdict is that of the times. */
    private static String verdict(RunVerdict verdict) {
        String doubts = verdict.doubtsOfTimes().stream().map(Caveat::code).collect(Collectors.joining(","));
        String measurement = (verdict.hasSoundTimes() ? verdict.measurement() : RunVerdict.Soundness.UNSOUND).word();
        String bounded = doubts.isEmpty() || !verdict.hasBoundedTimes() ? "" : " bounded=yes";
        return "measurement=" + measurement + (doubts.isEmpty() ? "" : " doubts=" + doubts) + bounded;
    }

    private static void comment(HistogramLogWriter log, String text) {
        if (!text.isEmpty()) {
            log.outputComment(" " + SafeText.line(text.replace(Lines.GLUE, " ")));
        }
    }

    private static void interval(Interval interval, LogLine line) {
        Recording recording = interval.recording();
        line.write(null, interval, recording.response());
        line.tagged("service", interval, recording.service());
        line.tagged("lateness", interval, recording.lateness());
        line.tagged("backlog_wait", interval, recording.backlogWait());
        line.tagged("censored", interval, recording.censored());
        line.tagged("failed", interval, failed(recording));
        recording.byName().forEach((name, own) -> {
            String tag = tag(name);
            line.tagged(REQUEST + tag, interval, own.response());
            line.tagged(REQUEST_FAILED + tag, interval, failed(own));
            line.tagged(REQUEST_CENSORED + tag, interval, own.censored());
        });
    }

    /** A log has no other place for requests that could not be built: they failed after no time. */
    private static Distribution failed(Recording recording) {
        return recording.unbuilt() == 0
                ? recording.failed()
                : recording.failed().plus(Distribution.of(new long[] {0}, new long[] {recording.unbuilt()}));
    }

    private static String tag(String name) {
        return ENDS_TAG.matcher(name)
                .replaceAll(end -> String.format("%%%02X", (int) end.group().charAt(0)));
    }

    /** The request name of a tag. */
    static String name(String tag) {
        return ESCAPED.matcher(tag)
                .replaceAll(code -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(code.group(1), 16))));
    }

    /** Writes distributions as lines of HdrHistogram's log, each through the same full-range histogram. Not thread-safe. */
    private static final class LogLine {
        private static final double NANOS_PER_MILLI = 1_000_000;

        private final HistogramLogWriter log;
        private final Histogram histogram = Distribution.newHistogram();

        LogLine(HistogramLogWriter log) {
            this.log = log;
        }

        /** Writes a tagged line, unless the distribution is empty. */
        void tagged(String tag, Interval interval, Distribution times) {
            if (!times.isEmpty()) {
                write(tag, interval, times);
            }
        }

        void write(@Nullable String tag, Interval interval, Distribution times) {
            histogram.reset();
            histogram.setTag(tag);
            times.forEach(histogram::recordValueWithCount);
            log.outputIntervalHistogram(
                    interval.startNanos() / 1e9, interval.endNanos() / 1e9, histogram, NANOS_PER_MILLI);
        }
    }
}
