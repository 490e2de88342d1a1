package dev.downbeat.report.view;

import dev.downbeat.report.data.PercentileTable;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.report.paper.Lines;
import dev.downbeat.verdict.Caveat;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.Verdict;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Collectors;

/**
 * JUnit's XML, for the test pages of build servers: one case for the measurement and one for each objective. An objective
 * that was missed is a failure; one that could not be decided, and a measurement that is not sound, are errors, since
 * nobody can say whether the service passed.
 */
public final class JUnitReport implements ReportFormat {
    @Override
    public void write(RunReport report, Appendable out) throws IOException {
        Verdict verdict = report.verdict();
        List<Objective> objectives = verdict.objectives();
        long undecided = count(objectives, Objective.Status.UNDECIDED);
        boolean isSound = verdict.measurement() != Verdict.Measurement.UNSOUND;
        String seconds = seconds(report.result().durationNanos());
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append("<testsuites>\n  <testsuite name=")
                .append(quoted("downbeat " + report.result().target()));
        out.append(" tests=").append(quoted(Integer.toString(objectives.size() + 1)));
        out.append(" failures=").append(quoted(Long.toString(count(objectives, Objective.Status.MISSED))));
        out.append(" errors=").append(quoted(Long.toString(undecided + (isSound ? 0 : 1))));
        out.append(" skipped=\"0\" time=").append(quoted(seconds)).append(" timestamp=");
        // the schema wants a time without a zone; it is UTC
        String started =
                report.result().started().truncatedTo(ChronoUnit.SECONDS).toString();
        out.append(quoted(started.substring(0, started.length() - 1))).append(">\n");
        properties(report, out);
        sound(report, out);
        for (Objective objective : objectives) {
            objective(objective, report, out);
        }
        String screen = text(report);
        out.append("    <system-out>").append(escaped(screen)).append("</system-out>\n");
        out.append("  </testsuite>\n</testsuites>\n");
    }

    private static String text(RunReport report) throws IOException {
        StringBuilder text = new StringBuilder();
        TextReport.plain().write(report, text);
        return text.toString();
    }

    private static long count(List<Objective> objectives, Objective.Status status) {
        return objectives.stream()
                .filter(objective -> objective.status() == status)
                .count();
    }

    private static void properties(RunReport report, Appendable out) throws IOException {
        out.append("    <properties>\n");
        property("downbeat", report.version(), out);
        property("command", String.join(" ", report.command()), out);
        property("workload", WorkloadText.line(report), out);
        for (PercentileTable.Row row : new PercentileTable(report).rows()) {
            property("response " + row.name(), row.response(), out);
        }
        out.append("    </properties>\n");
    }

    private static void property(String name, String value, Appendable out) throws IOException {
        out.append("      <property name=").append(quoted(name)).append(" value=");
        out.append(quoted(value)).append("/>\n");
    }

    private static void sound(RunReport report, Appendable out) throws IOException {
        begin("the measurement is sound", report, out);
        List<Caveat> doubts = report.verdict().doubts();
        if (doubts.isEmpty()) {
            out.append("/>\n");
            return;
        }
        String codes = doubts.stream().map(Caveat::code).collect(Collectors.joining(", "));
        String texts = doubts.stream().map(Caveat::text).collect(Collectors.joining("\n"));
        out.append(">\n      <error type=\"unsound\" message=")
                .append(quoted(codes))
                .append('>');
        out.append(escaped(texts)).append("</error>\n    </testcase>\n");
    }

    private static void objective(Objective objective, RunReport report, Appendable out) throws IOException {
        begin(objective.slo().text(), report, out);
        if (objective.status() == Objective.Status.MET) {
            out.append("/>\n");
            return;
        }
        String kind = objective.status() == Objective.Status.MISSED ? "failure" : "error";
        out.append(">\n      <")
                .append(kind)
                .append(" type=")
                .append(quoted(objective.status().word()));
        out.append(" message=").append(quoted(objective.slo().text() + ": " + objective.reason()));
        out.append("/>\n    </testcase>\n");
    }

    private static void begin(String name, RunReport report, Appendable out) throws IOException {
        out.append("    <testcase name=").append(quoted(name)).append(" classname=");
        out.append(quoted("downbeat." + report.result().target().replaceAll("[^A-Za-z0-9-]+", "_")));
        out.append(" time=").append(quoted(seconds(report.result().durationNanos())));
    }

    private static String seconds(long nanos) {
        return BigDecimal.valueOf(nanos, 9).setScale(3, RoundingMode.HALF_UP).toPlainString();
    }

    private static String quoted(String text) {
        return '"' + escaped(text).replace("\n", "&#10;") + '"';
    }

    /** What XML 1.0 cannot hold at all becomes a question mark. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.replace(Lines.GLUE, " ").codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : '?');
            }
        });
        return escaped.toString();
    }

    private static boolean isAllowed(int c) {
        return c == '\n' || c == '\t' || (c >= ' ' && c < 0xD800) || (c > 0xDFFF && c < 0xFFFE) || c > 0xFFFF;
    }
}
