package dev.downbeat.report.file;

import dev.downbeat.audit.Audited;
import dev.downbeat.exchange.Plain;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Lower bounds of what callers waited in HdrHistogram's log format, in nanoseconds; upper bounds are tagged
 * {@code at_most}.
 */
public final class AuditLog {
    private static final double NANOS_PER_MILLI = 1_000_000;

    private AuditLog() {}

    /**
     * Writes one interval for the whole result.
     *
     * @throws IOException if {@code out} fails, or the result has no requests that could be corrected
     */
    public static void write(Audited result, Appendable out) throws IOException {
        Histogram atLeast = result.atLeast()
                .orElseThrow(() ->
                        new IOException(result.name() + " has a distribution only: there are no requests to correct"))
                .copy();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        HistogramLogWriter log = new HistogramLogWriter(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        log.outputComment(Plain.line(" downbeat audit of " + result.name()));
        log.outputComment(
                " Bounds of what callers waited: already corrected for coordinated omission, do not correct again.");
        log.outputComment(" No tag: at least this. Tag=at_most: at most this.");
        log.outputLogFormatVersion();
        log.outputLegend();
        log.outputIntervalHistogram(0, result.lengthNanos() / 1e9, atLeast, NANOS_PER_MILLI);
        if (result.atMost().isPresent()) {
            Histogram atMost = result.atMost().get().copy();
            atMost.setTag("at_most");
            log.outputIntervalHistogram(0, result.lengthNanos() / 1e9, atMost, NANOS_PER_MILLI);
        }
        out.append(bytes.toString(StandardCharsets.UTF_8));
    }
}
