package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.format.TextSummary.LocustCsv;
import dev.downbeat.exchange.SafeText;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file written by another tool. */
public final class ResultFile {
    private static final List<Format> FORMATS = Stream.of(
                    List.of(new HistogramLog(), TextSummary.WRK, TextSummary.AB, TextSummary.HEY),
                    RequestTable.ALL,
                    List.of(
                            RequestTable.GATLING,
                            JsonRequests.K6,
                            JsonRequests.VEGETA,
                            new LocustCsv(),
                            new JsonSummaries(),
                            JsonRequests.SPANS,
                            new AccessLog()))
            .<Format>flatMap(List::stream)
            .toList();

    private ResultFile() {}

    /**
     * Reads a file of any supported format.
     *
     * @throws IOException with one line that names the file, the position and the reason
     */
    public static ResultCollector read(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return read(file.toString(), in);
        }
    }

    /** Reads from a stream, without closing it. */
    @SuppressWarnings("IllegalCatch") // the last resort: a malformed file must not crash the process
    static ResultCollector read(String name, InputStream in) throws IOException {
        ResultCollector into = new ResultCollector();
        Source source = null;
        try {
            source = new Source(in);
            String head = source.head();
            Format format = FORMATS.stream()
                    .filter(each -> each.recognises(head))
                    .findFirst()
                    .orElseThrow(() -> new IOException(unknown(head)));
            into.tool(format.name());
            read(format, source, into);
            if (into.count() == 0 && into.summaries().isEmpty()) {
                throw new IOException("no requests in it that were answered (" + format.name() + ")");
            }
            return into;
        } catch (FileSystemException unreadable) {
            throw unreadable;
        } catch (IOException | RuntimeException wrong) {
            throw refused(name, source, wrong);
        } catch (StackOverflowError | OutOfMemoryError tooMuch) {
            throw new IOException(SafeText.line(name + ": needs more memory than there is"), tooMuch);
        }
    }

    private static String unknown(String head) {
        if (head.startsWith("SQLite format 3")) {
            return "is an SQLite database; if oha wrote it, export it: " + RequestTable.EXPORT;
        }
        if (head.startsWith("\0\0\0\0") && head.length() > 4 && head.charAt(4) < ' ') {
            return "is the binary simulation.log of Gatling 3.12 or later; Downbeat's plugin for Gatling reports the same run"
                    + " from its intended times";
        }
        if (head.contains("Result") && head.contains("Latency") && head.contains("Timestamp")) {
            return "is vegeta's binary format; write it as JSON: vegeta encode results.bin > results.json";
        }
        if (head.contains("<testResults")) {
            return "is JMeter's XML; write CSV: jmeter -Jjmeter.save.saveservice.output_format=csv";
        }
        if (head.contains("Percentile") && head.contains("TotalCount")) {
            return "is a table of HdrHistogram's percentiles without their unit; write its log, .hlog";
        }
        if (head.startsWith("Percentage served")) {
            return "is the output of ab -e; give what ab prints, or its -g";
        }
        if (head.startsWith("starting benchmark...")) {
            return "is the output of h2load; give its --log-file";
        }
        if (head.startsWith("Requests ") && head.contains("[total, rate")) {
            return "is vegeta's report as text; write it as JSON: vegeta report -type json results.bin > report.json";
        }
        if (head.contains("summary +") || head.contains("summary =")) {
            return "is the output of JMeter; give the file of its -l";
        }
        if (head.contains("\"log\"") && head.contains("\"entries\"")) {
            return "is a browser's HAR, not a load test: 'downbeat run NAME.har' sends its requests";
        }
        if (head.startsWith("PK")) {
            return "is a zip; Downbeat's own results are read by 'downbeat report'";
        }
        return head.isBlank() ? "empty file" : "not a result of a supported tool ('downbeat help audit' lists them)";
    }

    /** An incomplete last line does not invalidate the lines before it. */
    private static void read(Format format, Source source, ResultCollector into) throws IOException {
        try {
            format.read(source, into);
        } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
            if (!source.isCutOff() || into.count() == 0) {
                throw wrong;
            }
            into.finding(AuditFinding.note(
                    AuditFinding.Kind.CUT_OFF,
                    "line " + source.number(),
                    "the last line is cut off: the tool was interrupted"));
        }
    }

    private static IOException refused(String name, @Nullable Source source, Exception wrong) {
        boolean isExplained = wrong instanceof IOException
                || wrong.getClass().equals(IllegalArgumentException.class)
                || wrong instanceof NumberFormatException;
        String why = wrong instanceof EOFException
                ? "cut off"
                : isExplained && wrong.getMessage() != null ? wrong.getMessage() : "cannot be parsed";
        String place = source == null || source.number() == 0 ? "" : "line " + source.number() + ": ";
        return new IOException(SafeText.line(name + ": " + place + why), wrong);
    }
}
