package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg.Box;
import java.util.Arrays;

/** A distribution by percentile as a line, sampled densely enough to show its steps. */
final class SpectrumCurve {
    /** The number of samples that shows steps of single requests. */
    static final int POINTS = 300;

    private final Plot plot;
    private final double nines;
    private final int points;
    private final double[] ys;

    /** Samples times, at least one, for a plot whose horizontal axis counts nines. */
    SpectrumCurve(Distribution times, Plot plot) {
        this(times, plot, POINTS);
    }

    SpectrumCurve(Distribution times, Plot plot, int points) {
        this.plot = plot;
        this.points = points;
        this.ys = new double[points + 1];
        this.nines = ((Scale.Nines) plot.across()).nines();
        long[] ranks = new long[points + 1];
        Arrays.setAll(ranks, i -> {
            double share = 1 - Math.pow(10, -nines * i / points);
            return Math.max(1, (long) Math.ceil(share * times.count()));
        });
        long[] values = times.valuesAtRanks(ranks);
        Arrays.setAll(ys, i -> plot.y(values[i]));
    }

    /** The height at x, limited to the axis. */
    double y(double x) {
        double share = (x - plot.box().x()) / plot.box().width();
        return ys[(int) Math.round(Math.max(0, Math.min(1, share)) * points)];
    }

    /** The path from one number of nines to another, in either direction. */
    Path between(double from, double to) {
        int first = (int) Math.round(from / nines * points);
        int last = (int) Math.round(to / nines * points);
        Path path = new Path();
        int step = first <= last ? 1 : -1;
        for (int i = first; i != last + step; i += step) {
            path.to(plot.x(nines * i / points), ys[i]);
        }
        return path;
    }

    int crossings(Box box) {
        int crossings = 0;
        for (int i = 1; i <= points; i++) {
            double x = plot.x(nines * i / points);
            boolean beside = x < box.x() || x > box.right();
            boolean above = Math.max(ys[i - 1], ys[i]) < box.y();
            boolean below = Math.min(ys[i - 1], ys[i]) > box.bottom();
            crossings += beside || above || below ? 0 : 1;
        }
        return crossings;
    }
}
