package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Summary;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** wrk and wrk2 with --latency. wrk2's times are measured from intended times, except after -U. */
final class WrkText implements Format {
    private static final Pattern CONNECTIONS = Pattern.compile("\\s*[0-9]+ threads? and ([0-9]+) connections?");
    private static final Pattern PERCENTILE = Pattern.compile("\\s*([0-9.]+)%\\s+([0-9.]+[a-z]+)\\s*");
    private static final Pattern LATENCY = Pattern.compile("\\s*Latency\\s+(\\S+)\\s+(\\S+)\\s+(\\S+)\\s+\\S+");
    private static final Pattern REQUESTS = Pattern.compile("\\s*([0-9]+) requests in ([0-9.]+[a-z]+),.*");
    private static final Pattern ERRORS = Pattern.compile("\\s*Socket errors: .*timeout ([0-9]+)");
    private static final Pattern STATUS = Pattern.compile("\\s*Non-2xx or 3xx responses: ([0-9]+)");
    private static final Pattern TARGET = Pattern.compile("Running .* test @ (\\S+)");

    @Override
    public String name() {
        return "wrk or wrk2";
    }

    @Override
    public boolean recognises(String head) {
        return head.contains("Thread Stats") && head.contains(" test @ ");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        Summary.Draft draft = new Summary.Draft();
        boolean isCorrected = false;
        boolean isUncorrected = false;
        while (source.line()) {
            String line = source.text();
            isCorrected |= line.contains("Recorded Latency");
            isUncorrected |= line.contains("Uncorrected Latency");
            if (!isUncorrected) {
                line(line, draft, into);
            } else {
                ending(line, draft);
            }
        }
        if (!draft.hasAny()) {
            into.finding(AuditFinding.weighty("no_percentiles", "", "wrk prints percentiles with --latency only"));
        }
        into.tool(isCorrected ? "wrk2" : "wrk");
        if (isCorrected) {
            draft.corrected();
            into.finding(AuditFinding.note(
                    "calibration",
                    "",
                    "wrk2 leaves out what it measured in its first seconds, and what was in flight at the end"));
        }
        into.summary(draft.done());
    }

    private static void line(String line, Summary.Draft draft, Collected into) {
        Matcher target = TARGET.matcher(line);
        Matcher connections = CONNECTIONS.matcher(line);
        Matcher percentile = PERCENTILE.matcher(line);
        Matcher latency = LATENCY.matcher(line);
        Matcher timeouts = ERRORS.matcher(line);
        if (target.matches()) {
            into.target(target.group(1));
        } else if (connections.matches()) {
            draft.users(Long.parseLong(connections.group(1)));
        } else if (percentile.matches()) {
            double share = Double.parseDouble(percentile.group(1));
            if (share < 100) {
                draft.percentile(share, TextNumbers.nanos(percentile.group(2)));
            }
        } else if (latency.matches()) {
            draft.mean(TextNumbers.nanos(latency.group(1))).max(TextNumbers.nanos(latency.group(3)));
        } else if (timeouts.matches() && Long.parseLong(timeouts.group(1)) > 0) {
            into.finding(AuditFinding.weighty(
                    "timeouts",
                    "",
                    timeouts.group(1) + " requests took longer than the timeout: no percentile has them"));
        }
        ending(line, draft);
    }

    private static void ending(String line, Summary.Draft draft) {
        Matcher requests = REQUESTS.matcher(line);
        Matcher status = STATUS.matcher(line);
        if (requests.matches()) {
            draft.count(Long.parseLong(requests.group(1))).lengthNanos(TextNumbers.nanos(requests.group(2)));
        } else if (status.matches()) {
            draft.failed(Long.parseLong(status.group(1)));
        }
    }
}
