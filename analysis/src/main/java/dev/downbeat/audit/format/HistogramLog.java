package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.Summary;
import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Percentiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** An HdrHistogram log (.hlog): one distribution per interval. Only untagged lines count. */
final class HistogramLog implements Format {
    private static final List<Double> PERCENTILES = Percentiles.belowMax(Percentiles.Place.JSON);

    @Override
    public String name() {
        return "HdrHistogram log (.hlog)";
    }

    @Override
    public boolean recognises(String head) {
        return head.contains("\"StartTimestamp\",\"Interval_Length\"")
                || head.contains("[Histogram log format version");
    }

    @Override
    public void read(Source source, ResultCollector into) throws IOException {
        Histogram sum = Distribution.newHistogram();
        double first = Double.NaN;
        double last = 0;
        double silentFrom = Double.NaN;
        boolean isCorrected = false;
        while (source.line()) {
            String line = source.text();
            if (source.isBlank() || line.startsWith("\"StartTimestamp\"") || line.startsWith("Tag=")) {
                continue;
            }
            if (line.startsWith("#")) {
                isCorrected |= line.contains("corrected for coordinated omission") && !line.contains("not corrected");
                continue;
            }
            String[] cells = line.split(",", -1);
            if (cells.length != 4) {
                throw new IllegalArgumentException("has " + cells.length + " cells, but needs 4");
            }
            double from = Double.parseDouble(cells[0]);
            double until = from + Double.parseDouble(cells[1]);
            first = Double.isNaN(first) ? from : first;
            last = until;
            Histogram interval = decoded(cells[3]);
            if (interval.getTotalCount() == 0) {
                silentFrom = Double.isNaN(silentFrom) ? from : silentFrom;
            } else {
                silent(silentFrom, from, interval, into, first);
                silentFrom = Double.NaN;
            }
            sum.add(Distribution.of(interval).toHistogram()); // longer times are capped
        }
        if (sum.getTotalCount() > 0) {
            into.summary(summary(sum, last - first, isCorrected));
        }
    }

    /** Detects intervals without responses that are followed by a response of the same length. */
    private static void silent(double from, double until, Histogram next, ResultCollector into, double first) {
        double seconds = until - from;
        if (seconds > 0 && next.getMaxValue() >= 0.8e9 * seconds) {
            into.finding(AuditFinding.weighty(
                    AuditFinding.Kind.SILENT_INTERVALS,
                    String.format(Locale.ROOT, "from %.2f s to %.2f s", from - first, until - first),
                    String.format(
                            Locale.ROOT,
                            "nothing was answered for %.2f s, and the next interval has a time of %.2f s: a stall",
                            seconds,
                            next.getMaxValue() / 1e9)));
        }
    }

    private static Summary summary(Histogram sum, double seconds, boolean isCorrected) {
        Summary.Draft draft = new Summary.Draft();
        for (double percentile : PERCENTILES) {
            draft.percentile(percentile, (double) sum.getValueAtPercentile(percentile));
        }
        draft.count(sum.getTotalCount())
                .lengthNanos(Math.max(0, seconds) * 1e9)
                .mean(sum.getMean())
                .max((double) sum.getMaxValue());
        return (isCorrected ? draft.corrected() : draft).done();
    }

    private static Histogram decoded(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (DataFormatException | RuntimeException broken) {
            throw new IllegalArgumentException("its histogram is corrupt or cut off", broken);
        }
    }
}
