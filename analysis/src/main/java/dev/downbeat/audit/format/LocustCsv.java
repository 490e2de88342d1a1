package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Summary;
import java.io.IOException;
import java.util.List;

/** Locust's --csv: the distribution of all requests, or one line per second. */
final class LocustCsv implements Format {
    private static final double MILLI = 1e6;

    @Override
    public String name() {
        return "Locust CSV";
    }

    @Override
    public boolean recognises(String head) {
        String first = head.lines().findFirst().orElse("");
        return first.startsWith("Type,Name,Request Count") || first.startsWith("Timestamp,User Count,Type,Name");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        source.line();
        Cells cells = new Cells(',').of(source);
        List<String> names = cells.all();
        boolean isHistory = names.get(0).equals("Timestamp");
        Summary last = null;
        long first = 0;
        while (source.record()) {
            if (source.isBlank() || !cells.of(source).is(names.indexOf("Name"), "Aggregated")) {
                continue;
            }
            Summary.Draft draft = new Summary.Draft();
            String of = isHistory ? "Total " : "";
            draft.count(cells.whole(names.indexOf(of + "Request Count")))
                    .failed(cells.whole(names.indexOf(of + "Failure Count")))
                    .mean(cells.number(names.indexOf(of + "Average Response Time")) * MILLI)
                    .max(cells.number(names.indexOf(of + "Max Response Time")) * MILLI);
            if (isHistory) {
                first = first == 0 ? cells.whole(0) : first;
                draft.lengthNanos((cells.whole(0) - first) * 1e9).users(cells.whole(1));
                draft.percentile(50, cells.number(names.indexOf("Total Median Response Time")) * MILLI);
            } else {
                percentiles(cells, names, draft);
            }
            last = draft.done();
        }
        if (last != null) {
            into.summary(last);
        }
        if (isHistory) {
            into.finding(AuditFinding.weighty(
                    "averaged_percentiles",
                    "line 2",
                    "each line has the percentiles of some seconds: no percentile of the run follows from them"));
        }
        into.finding(AuditFinding.note(
                "rounded", "", "Locust rounds times to two digits before it counts them: 147 ms is 150 ms"));
    }

    private static void percentiles(Cells cells, List<String> names, Summary.Draft draft) {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            if (name.endsWith("%") && !name.equals("100%") && !cells.is(i, "N/A")) {
                draft.percentile(Double.parseDouble(name.substring(0, name.length() - 1)), cells.number(i) * MILLI);
            }
        }
    }
}
