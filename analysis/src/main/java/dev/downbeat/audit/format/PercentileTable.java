package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.Collected;
import dev.downbeat.audit.Summary;
import dev.downbeat.stats.Percentiles;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HdrHistogram's percentile table (.hgrm). The format does not state its unit; most tools write milliseconds. */
final class PercentileTable implements Format {
    private static final double MILLI = 1e6;
    private static final Pattern ROW = Pattern.compile("\\s*([0-9.]+)\\s+([01]\\.[0-9]+)\\s+([0-9]+)(?:\\s+\\S+)?\\s*");
    private static final Pattern MEAN = Pattern.compile("#\\[Mean\\s*=\\s*([0-9.]+).*");
    private static final Pattern MAX = Pattern.compile("#\\[Max\\s*=\\s*([0-9.]+),\\s*Total count\\s*=\\s*([0-9]+).*");

    @Override
    public String name() {
        return "HdrHistogram percentiles (.hgrm)";
    }

    @Override
    public boolean recognises(String head) {
        return head.contains("Percentile") && head.contains("TotalCount");
    }

    @Override
    public void read(Source source, Collected into) throws IOException {
        Summary.Draft draft = new Summary.Draft();
        while (source.line()) {
            String line = source.text();
            Matcher row = ROW.matcher(line);
            Matcher mean = MEAN.matcher(line);
            Matcher max = MAX.matcher(line);
            if (row.matches()) {
                double percentile = Double.parseDouble(row.group(2)) * 100;
                if (percentile < 100) {
                    draft.percentile(percentile, Double.parseDouble(row.group(1)) * MILLI);
                } else {
                    draft.max(Double.parseDouble(row.group(1)) * MILLI);
                }
                draft.count(Long.parseLong(row.group(3)));
            } else if (mean.matches()) {
                draft.mean(Double.parseDouble(mean.group(1)) * MILLI);
            } else if (max.matches()) {
                draft.max(Double.parseDouble(max.group(1)) * MILLI).count(Long.parseLong(max.group(2)));
            } else if (!line.isBlank() && !line.startsWith("#") && !line.contains("Percentile")) {
                throw new IllegalArgumentException("it is no row of a percentile table");
            }
        }
        into.finding(AuditFinding.note("unit", "", "the file does not say its unit: milliseconds are assumed"));
        into.summary(spread(draft.done()));
    }

    /** Keeps the commonly quoted percentiles and drops the arbitrary steps between them. */
    private static Summary spread(Summary read) {
        Summary.Draft draft = new Summary.Draft();
        for (double percentile : Percentiles.belowMax(Percentiles.Place.JSON)) {
            var at = read.percentiles().ceilingEntry(percentile - 1e-9);
            if (at != null) {
                draft.percentile(percentile, at.getValue());
            }
        }
        read.mean().ifPresent(draft::mean);
        read.max().ifPresent(draft::max);
        return draft.count(read.count()).done();
    }
}
