package dev.downbeat.report.chart.draw;

/** Builds the data of an SVG path as compactly as possible. Not thread-safe. */
public final class Path {
    private final StringBuilder data = new StringBuilder();
    private double lastX;
    private double lastY;
    private boolean begun;
    private boolean level;

    /** Adds a straight line; the first point starts the path. */
    public Path to(double x, double y) {
        if (!begun) {
            data.append('M');
            point(x, y);
        } else if (Svg.n(y).equals(Svg.n(lastY))) {
            if (level) {
                data.setLength(data.lastIndexOf("H"));
            }
            data.append('H').append(Svg.n(x));
            level = true;
            lastX = x;
            return this;
        } else if (Svg.n(x).equals(Svg.n(lastX))) {
            data.append('V').append(Svg.n(y));
        } else {
            data.append('L');
            point(x, y);
        }
        begun = true;
        level = false;
        lastX = x;
        lastY = y;
        return this;
    }

    /** Starts a new stroke with the next point. */
    public Path gap() {
        begun = false;
        level = false;
        return this;
    }

    /** A circle as path data: a path with a hundred of them is a third of the size of a hundred elements. */
    public static String circle(double x, double y, double radius) {
        String r = Svg.n(radius);
        String arc = "a" + r + " " + r + " 0 1 0 ";
        String across = Svg.n(2 * radius);
        return "M" + Svg.n(x - radius) + " " + Svg.n(y) + arc + across + " 0" + arc + "-" + across + " 0";
    }

    private void point(double x, double y) {
        data.append(Svg.n(x)).append(' ').append(Svg.n(y));
    }

    public boolean isEmpty() {
        return data.length() == 0;
    }

    /** The data for appending to another path: its first point is joined to that path's last one. */
    public String continued() {
        return "L" + data.substring(1);
    }

    @Override
    public String toString() {
        return data.toString();
    }
}
