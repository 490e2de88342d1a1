package dev.downbeat.report.file;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.ReportFormat;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.view.RunFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The response times as HdrHistogram's percentile distribution in milliseconds, for its plotter. Requests whose end was
 * not seen count by their age, a lower bound; comments at the end give their number.
 */
public final class PercentileSpectrum implements ReportFormat {
    private static final int TICKS_PER_HALF_DISTANCE = 5;
    private static final double NANOS_PER_MILLI = 1_000_000;

    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        Distribution response = report.result().recording().responseAtLeast();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        response.toHistogram().outputPercentileDistribution(stream, TICKS_PER_HALF_DISTANCE, NANOS_PER_MILLI);
        out.append(bytes.toString(StandardCharsets.UTF_8));
        comment(out, report.result().target());
        comment(out, WorkloadText.line(report));
        comment(out, new RunFacts(report).partial());
        comment(
                out,
                "milliseconds from the intended times: already corrected for coordinated omission, do not correct again");
        long censored = report.result().recording().censored().count();
        if (censored > 0) {
            comment(out, Numbers.count(censored) + " requests were not seen to end and count as lower bounds");
        }
    }

    private static void comment(Appendable out, String text) throws IOException {
        if (!text.isEmpty()) {
            out.append("# ").append(text.replaceAll("\\R", " ")).append('\n');
        }
    }
}
