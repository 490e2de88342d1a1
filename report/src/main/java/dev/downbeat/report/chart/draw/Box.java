package dev.downbeat.report.chart.draw;

/** A rectangle in a chart; y grows downwards. */
public record Box(double x, double y, double width, double height) {
    public double right() {
        return x + width;
    }

    public double bottom() {
        return y + height;
    }
}
