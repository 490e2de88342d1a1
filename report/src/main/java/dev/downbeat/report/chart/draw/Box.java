package dev.downbeat.report.chart.draw;

/** A rectangle in a picture; y grows downwards. */
public record Box(double x, double y, double width, double height) {
    public double right() {
        return x + width;
    }

    public double bottom() {
        return y + height;
    }
}
