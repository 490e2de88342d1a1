package dev.downbeat.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.w3c.dom.Element;

/**
 * A picture of a page as a reader with a ruler sees it: the names on its axes say what a place is worth.
 *
 * @param svg the picture
 */
public record DrawnPicture(Element svg) {
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z]|-?(?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)");
    private static final Map<String, Double> UNITS = Map.of("us", 1e3, "ms", 1e6, "s", 1e9);

    /** Below the middle of letters. */
    private static final double BASELINE = 4;

    /** The only picture of a part of a page. */
    public static DrawnPicture of(PageReader page, String section) {
        return new DrawnPicture(PageReader.in(page.section(section), "svg").get(0));
    }

    /** "1.69 ms" in nanoseconds. */
    public static double nanos(String text) {
        String[] parts = text.split(" ");
        return Double.parseDouble(parts[0]) * UNITS.get(parts[1]);
    }

    /** Where across each of its readings is. */
    public List<Double> places() {
        double[] given = Arrays.stream(svg.getAttribute("data-x").split(","))
                .mapToDouble(Double::parseDouble)
                .toArray();
        int count = PageReader.readings(svg).size();
        return IntStream.range(0, count)
                .mapToObj(i -> given.length == count ? given[i] : given[0] + i * (given[1] - given[0]) / (count - 1))
                .toList();
    }

    /** What a place on the axis up is worth, which is logarithmic; with several axes, one below the other, on the nearest. */
    public double nanosAt(double y) {
        TreeMap<Double, Double> nearest = new TreeMap<>();
        TreeMap<Double, Double> ticks = new TreeMap<>();
        for (Element text : PageReader.in(svg, "text")) {
            if (text.getAttribute("text-anchor").equals("end")
                    && text.getTextContent().matches("[0-9.]+ (us|ms|s)")) {
                double at = Double.parseDouble(text.getAttribute("y")) - BASELINE;
                if (!ticks.isEmpty() && at > ticks.firstKey()) { // names go up, so the next axis has begun
                    ticks = new TreeMap<>();
                }
                ticks.put(at, Math.log(nanos(text.getTextContent())));
                if (nearest.isEmpty() || distance(ticks, y) <= distance(nearest, y)) {
                    nearest = ticks;
                }
            }
        }
        return Math.exp(between(nearest, y));
    }

    private static double distance(TreeMap<Double, Double> ticks, double y) {
        return Math.max(0, Math.max(ticks.firstKey() - y, y - ticks.lastKey()));
    }

    /** What a place on the axis up is worth, which has even steps: of numbers, or of shares in percent. */
    public double countAt(double y) {
        TreeMap<Double, Double> ticks = new TreeMap<>();
        for (Element text : PageReader.in(svg, "text")) {
            if (text.getAttribute("text-anchor").equals("end")
                    && text.getTextContent().matches("[0-9.,]+( %)?")) {
                ticks.put(Double.parseDouble(text.getAttribute("y")) - BASELINE, number(text.getTextContent()));
            }
        }
        return between(ticks, y);
    }

    /** What a place on the axis up is worth, which has even steps of the logarithm of a factor: a change in percent. */
    public double changeAt(double y) {
        TreeMap<Double, Double> ticks = new TreeMap<>();
        for (Element text : PageReader.in(svg, "text")) {
            if (text.getAttribute("text-anchor").equals("end")
                    && text.getTextContent().matches("([-+]?[0-9.]+ %|x[0-9]+)")) {
                ticks.put(
                        Double.parseDouble(text.getAttribute("y")) - BASELINE, Math.log(factor(text.getTextContent())));
            }
        }
        return 100 * (Math.exp(between(ticks, y)) - 1);
    }

    private static double factor(String change) {
        return change.startsWith("x") ? Double.parseDouble(change.substring(1)) : 1 + number(change) / 100;
    }

    /** "1,234" or "+12.5 %" without its unit. */
    public static double number(String text) {
        return Double.parseDouble(text.replace(",", "").replace(" %", ""));
    }

    /** What a place on the axis across is worth, which has even steps. */
    public double worthAt(double x) {
        TreeMap<Double, Double> ticks = new TreeMap<>();
        for (Element text : PageReader.in(svg, "text")) {
            if (text.getAttribute("text-anchor").equals("middle")
                    && text.getTextContent().matches("[0-9,]+")) {
                ticks.put(across(text), number(text.getTextContent()));
            }
        }
        return between(ticks, x);
    }

    /** Where across a duration is, on an axis that is logarithmic. */
    public double placeOf(double nanos) {
        TreeMap<Double, Double> ticks = new TreeMap<>();
        for (Element text : PageReader.in(svg, "text")) {
            if (text.getAttribute("text-anchor").equals("middle")
                    && text.getTextContent().matches("[0-9.]+ (us|ms|s)")) {
                ticks.put(Math.log(nanos(text.getTextContent())), across(text));
            }
        }
        return between(ticks, Math.log(nanos));
    }

    private static double across(Element text) {
        return 10 * Double.parseDouble(text.getAttribute("x").replace("%", ""));
    }

    private static double between(TreeMap<Double, Double> ticks, double at) {
        if (ticks.size() < 2) {
            throw new AssertionError("an axis needs two names, but had " + ticks);
        }
        double from = ticks.firstKey();
        double to = ticks.lastKey();
        return ticks.get(from) + (at - from) * (ticks.get(to) - ticks.get(from)) / (to - from);
    }

    /** How high the curve of this colour is at a place across. */
    public double curveAt(String hue, double x) {
        for (List<double[]> stroke : strokes(hue)) {
            for (int i = 1; i < stroke.size(); i++) {
                double[] from = stroke.get(i - 1);
                double[] to = stroke.get(i);
                if (from[0] < to[0] && from[0] - 0.1 <= x && x <= to[0] + 0.1) {
                    return from[1] + (x - from[0]) * (to[1] - from[1]) / (to[0] - from[0]);
                }
            }
        }
        throw new AssertionError("nothing of " + hue + " is drawn at " + x);
    }

    /** How high the dot of this colour is at a place across. */
    public double dotAt(String hue, double x) {
        return strokes(hue).stream()
                .filter(stroke -> stroke.size() == 2 && Arrays.equals(stroke.get(0), stroke.get(1)))
                .filter(stroke -> Math.abs(stroke.get(0)[0] - x) < 0.2)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no dot of " + hue + " at " + x))
                .get(0)[1];
    }

    /** How wide each bar is, in order across, by how high it is drawn. */
    public Map<Double, List<Double>> bars() {
        Map<Double, List<Double>> bars = new TreeMap<>();
        for (Element rect : PageReader.in(svg, "rect")) {
            bars.computeIfAbsent(Double.valueOf(rect.getAttribute("y")), y -> new ArrayList<>())
                    .add(Double.valueOf(rect.getAttribute("width")));
        }
        return bars;
    }

    private List<List<double[]>> strokes(String hue) {
        List<List<double[]>> strokes = new ArrayList<>();
        for (Element path : PageReader.in(svg, "path")) {
            if (path.getAttribute("class").equals("s-" + hue)
                    && path.getAttribute("transform").isEmpty()) {
                strokes.addAll(strokesOf(path.getAttribute("d")));
            }
        }
        return strokes;
    }

    private static List<List<double[]>> strokesOf(String data) {
        List<List<double[]>> strokes = new ArrayList<>();
        Matcher tokens = TOKEN.matcher(data);
        char command = ' ';
        double x = 0;
        double y = 0;
        while (tokens.find()) {
            if (Character.isLetter(tokens.group().charAt(0))) {
                command = tokens.group().charAt(0);
                if (command == 'M') {
                    strokes.add(new ArrayList<>());
                }
                continue;
            }
            double first = Double.parseDouble(tokens.group());
            double base = Character.isLowerCase(command) ? 1 : 0;
            switch (Character.toLowerCase(command)) {
                case 'h' -> x = base * x + first;
                case 'v' -> y = base * y + first;
                default -> {
                    if (!tokens.find()) {
                        throw new AssertionError("half a point in " + data);
                    }
                    x = base * x + first;
                    y = base * y + Double.parseDouble(tokens.group());
                }
            }
            strokes.get(strokes.size() - 1).add(new double[] {x, y});
        }
        return strokes;
    }
}
