package dev.downbeat.report;

/** The area of a chart between its two axes. */
record Plot(Box box, Scale across, Scale up) {
    private static final double LEAST_GAP = 12;

    double x(double value) {
        return box.x() + across.share(value) * box.width();
    }

    double x(long value) {
        return x((double) value);
    }

    double y(double value) {
        return box.bottom() - up.share(value) * box.height();
    }

    double y(long value) {
        return y((double) value);
    }

    /** Lines and labels of both axes; to be drawn first. */
    void axes(Svg svg, String caption) {
        Svg.Stroke grid = Svg.Stroke.of(Hue.GRID, 1);
        double lastY = Double.MAX_VALUE;
        for (Scale.Tick tick : up.ticks()) {
            double y = y(tick.value());
            svg.line(box.x(), y, box.right(), y, grid);
            if (lastY - y >= LEAST_GAP) {
                svg.text(box.x() - 8, y + 4, tick.label(), Svg.Label.end(Hue.MUTED));
                lastY = y;
            }
        }
        double lastEnd = -Double.MAX_VALUE;
        for (Scale.Tick tick : across.ticks()) {
            double x = x(tick.value());
            double half = Svg.widthOf(tick.label()) / 2;
            svg.line(x, box.y(), x, box.bottom(), grid);
            if (x - half > lastEnd) {
                svg.text(x, box.bottom() + 18, tick.label(), Svg.Label.middle(Hue.MUTED));
                lastEnd = x + half + LEAST_GAP;
            }
        }
        svg.text(box.x() + box.width() / 2, box.bottom() + 38, caption, Svg.Label.middle(Hue.MUTED));
    }
}
