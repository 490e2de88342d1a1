package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Box;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;

/** A distribution by percentile as a line of a picture, at so many places that its steps are seen. */
final class SpectrumCurve {
    /** So many that steps of a single request are seen. */
    static final int POINTS = 300;

    private final Plot plot;
    private final double nines;
    private final int points;
    private final double[] ys;

    /**
     * @param times not empty
     * @param plot whose axis across counts nines
     */
    SpectrumCurve(Distribution times, Plot plot) {
        this(times, plot, POINTS);
    }

    /** The same at so many places. */
    SpectrumCurve(Distribution times, Plot plot, int points) {
        this.plot = plot;
        this.points = points;
        this.ys = new double[points + 1];
        this.nines = ((Scale.Nines) plot.across()).nines();
        for (int i = 0; i <= points; i++) {
            double share = 1 - Math.pow(10, -nines * i / points);
            long rank = Math.max(1, (long) Math.ceil(share * times.count()));
            ys[i] = plot.y(times.valueAtRank(rank));
        }
    }

    /** How high it is there; at the ends of the axis for what lies beyond. */
    double y(double x) {
        double share = (x - plot.box().x()) / plot.box().width();
        return ys[(int) Math.round(Math.max(0, Math.min(1, share)) * points)];
    }

    /** From one number of nines to another, in either direction. */
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

    /** Over how many of its places it runs through a box. */
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
