package dev.downbeat.report.chart.draw;

/** The data of a path, in as few letters as a few do. Not thread-safe. */
public final class Path {
    private final StringBuilder data = new StringBuilder();
    private double lastX;
    private double lastY;
    private boolean begun;
    private boolean level;

    /** A straight line to there; the first point of all begins the path. */
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

    /** The next point begins a stroke of its own. */
    public Path gap() {
        begun = false;
        level = false;
        return this;
    }

    /** A circle, as data of its own: a hundred of them in one path are a third of a hundred elements. */
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

    /** The same, to be appended to another path: its first point is joined to that one's last. */
    public String continued() {
        return "L" + data.substring(1);
    }

    @Override
    public String toString() {
        return data.toString();
    }
}
