package dev.downbeat.report.chart.draw;

/**
 * Builds the data of an SVG path as compactly as possible: each point after the first is relative to the previous one.
 * Not thread-safe.
 */
public final class Path {
    private final StringBuilder data = new StringBuilder();
    private long lastX;
    private long lastY;
    private long levelFromX;
    private int levelAt;
    private char command;

    /** Adds a straight line; the first point starts the path. */
    public Path to(double x, double y) {
        long toX = tenths(x);
        long toY = tenths(y);
        if (command == 0) {
            data.append('M').append(coordinate(x)).append(' ').append(coordinate(y));
            command = 'M';
        } else if (toY == lastY) {
            level(toX);
        } else if (toX == lastX) {
            data.append('v').append(distance(toY - lastY));
            command = 'v';
        } else {
            data.append(command != 'l' ? "l" : toX < lastX ? "" : " ").append(distance(toX - lastX));
            data.append(toY < lastY ? "" : " ").append(distance(toY - lastY));
            command = 'l';
        }
        lastX = toX;
        lastY = toY;
        return this;
    }

    /** Consecutive horizontal lines are merged into one. */
    private void level(long toX) {
        if (command == 'h') {
            data.setLength(levelAt);
        } else {
            levelAt = data.length();
            levelFromX = lastX;
        }
        data.append('h').append(distance(toX - levelFromX));
        command = 'h';
    }

    private static long tenths(double value) {
        return Math.round(value * 10);
    }

    /** Formats a coordinate, rounded to tenths, independently of the locale. */
    public static String coordinate(double value) {
        long tenths = tenths(value);
        String sign = tenths < 0 ? "-" : "";
        tenths = Math.abs(tenths);
        return sign + tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10);
    }

    private static String distance(long tenths) {
        long size = Math.abs(tenths);
        String whole = size < 10 && size != 0 ? "" : Long.toString(size / 10);
        return (tenths < 0 ? "-" : "") + whole + (size % 10 == 0 ? "" : "." + size % 10);
    }

    /** Starts a new stroke with the next point. */
    public Path gap() {
        command = 0;
        return this;
    }

    /** A circle as path data: a path with a hundred of them is a third of the size of a hundred elements. */
    public static String circle(double x, double y, double radius) {
        String r = coordinate(radius);
        String arc = "a" + r + " " + r + " 0 1 0 ";
        String across = coordinate(2 * radius);
        return "M" + coordinate(x - radius) + " " + coordinate(y) + arc + across + " 0" + arc + "-" + across + " 0";
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
