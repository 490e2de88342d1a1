package dev.downbeat.report.chart.draw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Draws a chart scaled to the width of its place. Shapes are stretched, texts are not: {@link TextPlaces} places them
 * on narrow pages. Texts lie above all shapes. Colours are set twice: as attributes, for pages whose styles are
 * blocked, and as classes, for the reader's theme. Coordinates are chart units, rounded to tenths. Not thread-safe.
 */
public final class Svg {
    /** The approximate width of a letter relative to the font size, since labels are placed without a browser. */
    private static final double LETTER = 0.53;

    private static final double BOLD = 1.12;

    public static final double FONT = 13;

    private final Markup out;
    private final List<TextPlaces.PlacedText> texts = new ArrayList<>();
    private final List<Cross> crosses = new ArrayList<>();
    private String caption = "";

    public Svg(Markup out) {
        this.out = out;
    }

    /** The style sheet's rules for the texts of all charts. */
    public static String css() {
        return TextPlaces.css();
    }

    /** Draws a whole chart into the caller's element. */
    static void draw(int height, Consumer<Svg> picture, Markup out) {
        Svg svg = new Svg(out);
        out.open("svg")
                .with("viewBox", "0 0 " + Chart.WIDTH + " " + height)
                .with("preserveAspectRatio", "none")
                .with("width", "100%")
                .with("height", Integer.toString(height));
        picture.accept(svg);
        out.close();
        svg.write();
    }

    /**
     * A line style.
     *
     * @param dash lengths of dashes and gaps; empty for a solid line
     */
    public record Stroke(ThemeColour hue, double width, String dash) {
        public static Stroke of(ThemeColour hue, double width) {
            return new Stroke(hue, width, "");
        }

        public static Stroke dashed(ThemeColour hue) {
            return new Stroke(hue, 1.6, "6 4");
        }
    }

    /**
     * A text style.
     *
     * @param anchor point of the text at its coordinates: start, middle or end
     */
    public record Label(ThemeColour hue, String anchor, boolean bold) {
        public static Label start(ThemeColour hue) {
            return new Label(hue, "start", false);
        }

        public static Label middle(ThemeColour hue) {
            return new Label(hue, "middle", false);
        }

        public static Label end(ThemeColour hue) {
            return new Label(hue, "end", false);
        }

        /** The share of a text's width before its coordinates. */
        double before() {
            return switch (anchor) {
                case "start" -> 0;
                case "middle" -> 0.5;
                default -> 1;
            };
        }

        public Label strong() {
            return new Label(hue, anchor, true);
        }
    }

    public static double widthOf(String text) {
        return text.length() * FONT * LETTER;
    }

    public static double widthOfBold(String text) {
        return BOLD * widthOf(text);
    }

    private static String n(double value) {
        return Path.coordinate(value);
    }

    public void box(Box box, ThemeColour fill) {
        out.open("rect")
                .with("x", n(box.x()))
                .with("y", n(box.y()))
                .with("width", n(box.width()))
                .with("height", n(box.height()))
                .with("fill", fill.light())
                .with("class", fill.fillClass())
                .empty();
    }

    public void line(double fromX, double fromY, double toX, double toY, Stroke stroke) {
        path("M" + n(fromX) + " " + n(fromY) + "L" + n(toX) + " " + n(toY), stroke);
    }

    /** Draws nothing if the path is empty. */
    public void path(Path path, Stroke stroke) {
        if (!path.isEmpty()) {
            path(path.toString(), stroke);
        }
    }

    private void path(String data, Stroke stroke) {
        out.open("path")
                .with("d", data)
                .with("fill", "none")
                .with("stroke", stroke.hue().light())
                .with("stroke-width", n(stroke.width()))
                .with("stroke-dasharray", stroke.dash())
                .with("class", stroke.hue().strokeClass())
                .empty();
    }

    /**
     * Adjacent cells without gaps between them.
     *
     * @param data strokes through the middle of cells, in cells from the corner of the first
     * @param first place and size of the first cell
     */
    public void cells(String data, Box first, ThemeColour hue) {
        out.open("path")
                .with("d", data)
                .with(
                        "transform",
                        "translate(" + n(first.x()) + " " + n(first.y() + first.height() / 2) + ")scale("
                                + first.width() + " " + first.height() + ")")
                .with("fill", "none")
                .with("stroke", hue.light())
                .with("class", hue.strokeClass())
                .with("shape-rendering", "crispEdges")
                .empty();
    }

    public void area(String data, ThemeColour fill, double opacity) {
        out.open("path")
                .with("d", data)
                .with("fill", fill.light())
                .with("fill-opacity", opacity == 1 ? "" : Double.toString(opacity))
                .with("class", fill.fillClass())
                .empty();
    }

    /** An area filled with a pattern of this chart. */
    public void patterned(String data, String pattern) {
        out.open("path").with("d", data).with("fill", "url(#" + pattern + ")").empty();
    }

    /** A pattern of thin diagonal lines on a background. */
    public void hatch(String id, ThemeColour ground, ThemeColour lines) {
        out.open("pattern")
                .with("id", id)
                .with("width", "7")
                .with("height", "7")
                .with("patternUnits", "userSpaceOnUse")
                .with("patternTransform", "rotate(45)");
        box(new Box(0, 0, 7, 7), ground);
        line(0, 0, 0, 7, Stroke.of(lines, 1.6));
        out.close();
    }

    public void dot(double x, double y, double radius, ThemeColour fill) {
        dots("M" + n(x) + " " + n(y) + "h0", radius, fill);
    }

    /** Dots that are round at every page width: strokes of zero length, whose width is not stretched. */
    public void dots(String data, double radius, ThemeColour fill) {
        out.open("path")
                .with("d", data)
                .with("fill", "none")
                .with("stroke", fill.light())
                .with("stroke-width", n(2 * radius))
                .with("stroke-linecap", "round")
                .with("class", fill.strokeClass())
                .empty();
    }

    /** A cross that has the same shape at every page width. It lies above all other shapes. */
    public void cross(double x, double y, double radius, Stroke stroke) {
        crosses.add(new Cross(x, y, radius, stroke));
    }

    private record Cross(double x, double y, double radius, Stroke stroke) {
        private String data() {
            String far = n(radius);
            String across = n(2 * radius);
            return "M-" + far + " -" + far + "l" + across + " " + across + "M-" + far + " " + far + "l" + across + "-"
                    + across;
        }
    }

    public void text(double x, double y, String words, Label label) {
        texts.add(new TextPlaces.PlacedText(x, 0, y, words, label, false, Double.MAX_VALUE));
    }

    /** The name of a curve, right of its last point; the gap in screen points is the same at every width. */
    public void name(double x, double gap, double y, String words, Label label) {
        beside(x, gap, y, words, label, Double.MAX_VALUE);
    }

    /**
     * A label right of a shape, at a gap in screen points that is the same at every width. It is never moved, and
     * hidden where it does not fit.
     */
    public void beside(double x, double gap, double y, String words, Label label, double maxWidth) {
        texts.add(new TextPlaces.PlacedText(x, gap, y, words, label, true, maxWidth));
    }

    /** A text within the chart that is readable on any background. */
    public void haloed(double x, double y, String words, Label label) {
        double width = TextPlaces.width(words, label);
        double before = width * label.before();
        double inside = Math.max(before, Math.min(x, Chart.WIDTH - width + before));
        texts.add(new TextPlaces.PlacedText(inside, 0, y, words, label, true, Double.MAX_VALUE));
    }

    /** The caption below the middle of the horizontal axis. */
    void caption(double x, double y, String words) {
        caption = words;
        text(x, y, words, Label.middle(ThemeColour.MUTED));
    }

    /** A text within a shape of this width; hidden where it does not fit. */
    public void inside(double x, double y, String words, Label label, double width) {
        texts.add(new TextPlaces.PlacedText(x, 0, y, words, label, false, width));
    }

    private void write() {
        for (Cross cross : crosses) {
            out.open("svg")
                    .with("x", percent(cross.x()))
                    .with("y", n(cross.y()))
                    .with("overflow", "visible");
            path(cross.data(), cross.stroke());
            out.close();
        }
        List<String> classes = TextPlaces.classes(texts);
        for (int i = 0; i < texts.size(); i++) {
            TextPlaces.PlacedText text = texts.get(i);
            Label label = text.label();
            String halo = text.isHaloed() ? ThemeColour.PAPER.light() : "";
            out.open("text")
                    .with("x", percent(text.x()))
                    .with("dx", text.gap() == 0 ? "" : n(text.gap()))
                    .with("y", n(text.y()))
                    .with("fill", label.hue().light())
                    .with("text-anchor", label.anchor().equals("start") ? "" : label.anchor())
                    .with("font-weight", label.bold() ? "600" : "")
                    .with("stroke", halo)
                    .with("stroke-width", halo.isEmpty() ? "" : "4")
                    .with("paint-order", halo.isEmpty() ? "" : "stroke")
                    .with(
                            "class",
                            label.hue().fillClass()
                                    + (halo.isEmpty() ? "" : " " + ThemeColour.PAPER.strokeClass())
                                    + classes.get(i)
                                    + (text.words().equals(caption) ? " still" : ""))
                    .text(text.words())
                    .close();
        }
    }

    private static String percent(double x) {
        long tenths = Math.round(x * 1000.0 / Chart.WIDTH);
        return (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10 + (tenths % 10 == 0 ? "" : "." + Math.abs(tenths) % 10)
                + "%";
    }

    /**
     * Places the texts of a chart on narrower pages. Texts keep their size, so they may be moved sideways, or hidden if
     * another text has their place. The style sheet does both by classes, without a script.
     */
    private static final class TextPlaces {
        private static final int STEP = 10;
        private static final int MOST_STEPS = 27;
        /** Tolerance for the width of the reader's font. */
        private static final double SLACK = 1.14;

        private static final int MOST_ASIDE = 12;

        /** From the middle of a point to where its name may begin. */
        private static final double POINT = 6;

        private TextPlaces() {}

        static double width(String words, Svg.Label label) {
            return SLACK * (label.bold() ? Svg.widthOfBold(words) : Svg.widthOf(words));
        }

        /**
         * A text at full width.
         *
         * @param gap further distance to the right, in screen points
         * @param maxWidth width of the shape that it must fit into; large if there is none
         */
        record PlacedText(
                double x, double gap, double y, String words, Svg.Label label, boolean isHaloed, double maxWidth) {
            double width() {
                return TextPlaces.width(words, label);
            }

            /** Whether it is a label of a horizontal axis, centred below its position. */
            boolean isTick() {
                return label.anchor().equals("middle") && !isHaloed;
            }

            /** Priority: labels of vertical axes, which cannot move; then conclusions; texts within shapes last. */
            int rank() {
                boolean isOfVerticalAxis = label.anchor().equals("end") && !isHaloed;
                return isOfVerticalAxis || label.bold() ? 0 : isHaloed ? 1 : maxWidth < Double.MAX_VALUE ? 3 : 2;
            }
        }

        /**
         * A range of page widths.
         *
         * @param prefix prefix of its classes
         * @param media media query of the pages
         * @param width width of the chart on the narrowest page
         * @param others widths on wider pages of the range, where the texts must not overlap either
         * @param left free space left of the chart
         * @param right free space right of the chart
         */
        private record Layout(
                String prefix, String media, double width, List<Double> others, double left, double right) {}

        /** A text and its displacement. */
        private record Placed(PlacedText text, int steps) {
            boolean meets(Placed other, double width) {
                return meet(box(other.text, width, other.steps), box(text, width, steps), text.isTick());
            }

            boolean isFree(Layout layout, List<Placed> taken) {
                return taken.stream()
                        .noneMatch(other -> meets(other, layout.width())
                                || layout.others().stream().anyMatch(width -> meets(other, width)));
            }
        }

        private static final List<Layout> LAYOUTS = List.of(
                new Layout("m", "(min-width:761px) and (max-width:1019px)", 710, List.of(820.0, 945.0), 0, -6),
                new Layout("n", "(max-width:760px)", 288, List.of(358.0, 430.0, 560.0, 690.0), 30, 8));

        static String css() {
            StringBuilder css = new StringBuilder();
            for (Layout layout : LAYOUTS) {
                css.append("@media screen and ").append(layout.media()).append('{');
                css.append('.').append(layout.prefix()).append("0{display:none}");
                for (int step = 1; step <= MOST_STEPS; step++) {
                    css.append(rule(layout, -step)).append(rule(layout, step));
                }
                css.append("}\n");
            }
            return css.toString();
        }

        private static String rule(Layout layout, int steps) {
            return "." + name(layout, steps) + "{translate:" + steps * STEP + "px}";
        }

        /** The class of a layout and displacement. */
        private static String name(Layout layout, int steps) {
            return layout.prefix() + (steps < 0 ? "l" : "r") + Math.abs(steps);
        }

        /** The classes of each text, each after a space. */
        static List<String> classes(List<PlacedText> texts) {
            String[] classes = new String[texts.size()];
            Arrays.fill(classes, "");
            List<Integer> order = IntStream.range(0, classes.length)
                    .boxed()
                    .sorted(Comparator.comparingInt(i -> texts.get(i).rank()))
                    .toList();
            for (Layout layout : LAYOUTS) {
                List<Placed> taken = new ArrayList<>();
                for (int i : order) {
                    PlacedText text = texts.get(i);
                    int steps = displacement(text, layout, taken);
                    Placed placed = new Placed(text, steps);
                    boolean fits = Math.abs(steps) <= MOST_STEPS
                            && text.width() <= layout.width() + layout.left() + layout.right()
                            && (text.maxWidth() == Double.MAX_VALUE
                                    || text.gap() + text.width() + 4 <= text.maxWidth() * layout.width() / Chart.WIDTH);
                    if (!fits || !placed.isFree(layout, taken)) {
                        classes[i] += " " + layout.prefix() + "0";
                    } else {
                        taken.add(placed);
                        classes[i] += steps == 0 ? "" : " " + name(layout, steps);
                    }
                }
            }
            return List.of(classes);
        }

        /** The displacement that avoids the texts already placed, unless the text is an axis label. */
        private static int displacement(PlacedText text, Layout layout, List<Placed> taken) {
            int inside = stepsIntoPage(text, layout);
            boolean isMovable =
                    text.maxWidth() == Double.MAX_VALUE && (text.label().bold() || text.isHaloed());
            int most = isMovable ? MOST_ASIDE : 0;
            for (int aside = 0; aside <= most; aside++) {
                for (int steps : new int[] {inside + aside, inside - aside}) {
                    Box box = box(text, layout.width(), steps);
                    boolean isOnPage = box.x() >= -layout.left() && box.right() <= layout.width() + layout.right();
                    if (isOnPage && isClear(text, box, layout) && new Placed(text, steps).isFree(layout, taken)) {
                        return steps;
                    }
                }
            }
            return inside;
        }

        /** Whether a name beside a point does not lie on it. */
        private static boolean isClear(PlacedText text, Box box, Layout layout) {
            double point = text.x() * layout.width() / Chart.WIDTH;
            return text.gap() == 0 || box.x() >= point + POINT || box.right() <= point - POINT;
        }

        /** The displacement that moves a text that leaves the page back into it. */
        private static int stepsIntoPage(PlacedText text, Layout layout) {
            Box box = box(text, layout.width(), 0);
            double tooFarLeft = -layout.left() - box.x();
            double tooFarRight = box.right() - layout.width() - layout.right();
            return tooFarRight > 0
                    ? -(int) Math.ceil(tooFarRight / STEP)
                    : tooFarLeft > 0 ? (int) Math.ceil(tooFarLeft / STEP) : 0;
        }

        private static Box box(PlacedText text, double width, int steps) {
            double x = text.x() * width / Chart.WIDTH + text.gap() + steps * STEP;
            double left = x - text.width() * text.label().before();
            return new Box(left, text.y() - Svg.FONT, text.width(), Svg.FONT + 3);
        }

        /**
         * Whether two texts overlap. Labels of horizontal axes keep a greater distance, so that the remaining ones are
         * evenly spaced.
         */
        private static boolean meet(Box one, Box other, boolean isTick) {
            double gap = isTick && one.y() == other.y() ? 12 : 10;
            return one.x() < other.right() + gap
                    && other.x() < one.right() + gap
                    && one.y() < other.bottom()
                    && other.y() < one.bottom();
        }
    }

    /** A rectangle in a chart; y grows downwards. */
    public record Box(double x, double y, double width, double height) {
        public double right() {
            return x + width;
        }

        public double bottom() {
            return y + height;
        }
    }
}
