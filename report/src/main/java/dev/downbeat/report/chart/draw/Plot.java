package dev.downbeat.report.chart.draw;

import dev.downbeat.report.chart.draw.Svg.Box;

/** The area of a chart between its axes. */
public record Plot(Box box, Scale across, Scale up) {
    private static final double LEAST_GAP = 12;

    public double x(double value) {
        return box.x() + across.share(value) * box.width();
    }

    public double x(long value) {
        return x((double) value);
    }

    public double y(double value) {
        return box.bottom() - up.share(value) * box.height();
    }

    public double y(long value) {
        return y((double) value);
    }

    /** Draws both axes with labels; call first. */
    public void axes(Svg svg, String caption) {
        Path grid = new Path();
        for (Scale.Tick tick : up.ticks()) {
            double y = y(tick.value());
            grid.gap().to(box.x(), y).to(box.right(), y);
        }
        for (Scale.Tick tick : across.ticks()) {
            double x = x(tick.value());
            grid.gap().to(x, box.y()).to(x, box.bottom());
        }
        svg.path(grid, Svg.Stroke.of(ThemeColour.GRID, 1));
        tickLabels(svg);
        svg.caption(box.x() + box.width() / 2, box.bottom() + 38, caption);
    }

    /** Fills a range of the horizontal axis over the whole height. */
    public void band(Svg svg, double fromX, double toX, ThemeColour fill) {
        svg.box(new Box(fromX, box.y(), toX - fromX, box.height()), fill);
    }

    /** Fills the area below a curve that spans the plot. */
    public void area(Svg svg, Path curve, ThemeColour fill, double opacity) {
        svg.area(curve + "V" + Path.coordinate(box.bottom()) + "H" + Path.coordinate(box.x()) + "Z", fill, opacity);
    }

    /** Draws an entry of the legend above the plot, this far from its left edge. */
    public void key(Svg svg, double across, String words, ThemeColour hue) {
        svg.haloed(box.x() + across, 14, words, Svg.Label.start(hue).strong());
    }

    /** Draws the labels that fit. */
    private void tickLabels(Svg svg) {
        double lastY = Double.MAX_VALUE;
        for (Scale.Tick tick : up.ticks()) {
            double y = y(tick.value());
            if (lastY - y >= LEAST_GAP) {
                svg.text(box.x() - 8, y + 4, tick.label(), Svg.Label.end(ThemeColour.MUTED));
                lastY = y;
            }
        }
        double lastEnd = -Double.MAX_VALUE;
        for (Scale.Tick tick : across.ticks()) {
            double x = x(tick.value());
            double half = Svg.widthOf(tick.label()) / 2;
            if (x - half > lastEnd) {
                svg.text(x, box.bottom() + 18, tick.label(), Svg.Label.middle(ThemeColour.MUTED));
                lastEnd = x + half + LEAST_GAP;
            }
        }
    }
}
