package dev.downbeat.report.chart.draw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Draws a picture as wide as its place. Shapes are stretched; letters are not: {@link TextPlaces} finds their places where the
 * page is narrow. Letters lie above all shapes. Each has its colour twice: as an attribute, which holds where styles are blocked, and as a class, which the
 * style sheet gives the colour of the reader's theme. Coordinates are those of the picture, a tenth is kept; a place is two
 * numbers, so some methods have five parameters. Not thread-safe.
 */
public final class Svg {
    /** About the width of a letter, as a share of the size of the font: labels must find their places without a browser. */
    private static final double LETTER = 0.53;

    private static final double BOLD = 1.12;

    public static final double FONT = 13;

    private final Markup out;
    private final List<TextPlaces.Text> texts = new ArrayList<>();
    private String caption = "";

    public Svg(Markup out) {
        this.out = out;
    }

    /** The rules of the style sheet for the texts of all pictures. */
    public static String css() {
        return TextPlaces.css();
    }

    /** Draws a whole picture; the element around it is the caller's. */
    static void draw(int high, Consumer<Svg> picture, Markup out) {
        Svg svg = new Svg(out);
        String height = Integer.toString(high);
        out.open(
                "svg",
                "viewBox",
                "0 0 " + Chart.WIDTH + " " + height,
                "preserveAspectRatio",
                "none",
                "width",
                "100%",
                "height",
                height);
        picture.accept(svg);
        out.close();
        svg.write();
    }

    /**
     * How a line is drawn.
     *
     * @param dash lengths of dashes and gaps; empty for a line without
     */
    public record Stroke(Hue hue, double width, String dash) {
        public static Stroke of(Hue hue, double width) {
            return new Stroke(hue, width, "");
        }

        public static Stroke dashed(Hue hue) {
            return new Stroke(hue, 1.6, "6 4");
        }
    }

    /**
     * How a text is written.
     *
     * @param anchor which point of the text lies at its place: start, middle or end
     */
    public record Label(Hue hue, String anchor, boolean bold) {
        public static Label start(Hue hue) {
            return new Label(hue, "start", false);
        }

        public static Label middle(Hue hue) {
            return new Label(hue, "middle", false);
        }

        public static Label end(Hue hue) {
            return new Label(hue, "end", false);
        }

        /** The share of a text that lies before its place. */
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

    /** What is kept of a coordinate. */
    static long tenths(double value) {
        return Math.round(value * 10);
    }

    /** A coordinate, the same in every locale. */
    public static String n(double value) {
        long tenths = tenths(value);
        String sign = tenths < 0 ? "-" : "";
        tenths = Math.abs(tenths);
        return sign + tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10);
    }

    public void box(Box box, Hue fill) {
        out.empty(
                "rect",
                "x",
                n(box.x()),
                "y",
                n(box.y()),
                "width",
                n(box.width()),
                "height",
                n(box.height()),
                "fill",
                fill.light(),
                "class",
                fill.fillClass());
    }

    /** Two points and how to join them. */
    public void line(double fromX, double fromY, double toX, double toY, Stroke stroke) {
        path("M" + n(fromX) + " " + n(fromY) + "L" + n(toX) + " " + n(toY), stroke);
    }

    public void path(String data, Stroke stroke) {
        out.empty(
                "path",
                "d",
                data,
                "fill",
                "none",
                "stroke",
                stroke.hue().light(),
                "stroke-width",
                n(stroke.width()),
                "stroke-dasharray",
                stroke.dash(),
                "class",
                stroke.hue().strokeClass());
    }

    /**
     * Cells side by side, with no hair of the paper between them.
     *
     * @param data strokes through the middle of cells, in cells from the first one's corner
     * @param first where it lies and how large each is
     */
    public void cells(String data, Box first, Hue hue) {
        out.empty(
                "path",
                "d",
                data,
                "transform",
                "translate(" + n(first.x()) + " " + n(first.y() + first.height() / 2) + ")scale(" + first.width() + " "
                        + first.height() + ")",
                "fill",
                "none",
                "stroke",
                hue.light(),
                "class",
                hue.strokeClass(),
                "shape-rendering",
                "crispEdges");
    }

    public void area(String data, Hue fill, double opacity) {
        out.empty(
                "path",
                "d",
                data,
                "fill",
                fill.light(),
                "fill-opacity",
                opacity == 1 ? "" : Double.toString(opacity),
                "class",
                fill.fillClass());
    }

    /** An area filled with a pattern of this picture. */
    public void patterned(String data, String pattern) {
        out.empty("path", "d", data, "fill", "url(#" + pattern + ")");
    }

    /** Thin slanting lines on a ground of their own. */
    public void hatch(String id, Hue ground, Hue lines) {
        out.open(
                "pattern",
                "id",
                id,
                "width",
                "7",
                "height",
                "7",
                "patternUnits",
                "userSpaceOnUse",
                "patternTransform",
                "rotate(45)");
        box(new Box(0, 0, 7, 7), ground);
        line(0, 0, 0, 7, Stroke.of(lines, 1.6));
        out.close();
    }

    public void dot(double x, double y, double radius, Hue fill) {
        dots("M" + n(x) + " " + n(y) + "h0", radius, fill);
    }

    /** Round at every width: strokes of no length, of which the width is not stretched. */
    public void dots(String data, double radius, Hue fill) {
        out.empty(
                "path",
                "d",
                data,
                "fill",
                "none",
                "stroke",
                fill.light(),
                "stroke-width",
                n(2 * radius),
                "stroke-linecap",
                "round",
                "class",
                fill.strokeClass());
    }

    public void text(double x, double y, String words, Label label) {
        texts.add(new TextPlaces.Text(x, y, words, label, false, Double.MAX_VALUE));
    }

    /** The name of a curve: so many points, at every width, right of its last point. */
    public void name(double x, double gap, double y, String words, Label label) {
        texts.add(new TextPlaces.Text(x, gap, y, words, label, true, Double.MAX_VALUE));
    }

    /** What belongs to a shape: so many points, at every width, right of it, and nowhere else; not shown where it does not fit. */
    public void beside(double x, double gap, double y, String words, Label label, double room) {
        texts.add(new TextPlaces.Text(x, gap, y, words, label, true, room));
    }

    /** A text that stays readable on whatever lies below it, and in the picture. */
    public void haloed(double x, double y, String words, Label label) {
        TextPlaces.Text text = new TextPlaces.Text(x, y, words, label, true, Double.MAX_VALUE);
        double before = text.width() * label.before();
        double inside = Math.max(before, Math.min(x, Chart.WIDTH - text.width() + before));
        texts.add(new TextPlaces.Text(inside, y, words, label, true, Double.MAX_VALUE));
    }

    /** What the axis across is, below its middle. */
    void caption(double x, double y, String words) {
        caption = words;
        text(x, y, words, Label.middle(Hue.MUTED));
    }

    /** A text in a shape of this width: not shown where it does not fit. */
    public void inside(double x, double y, String words, Label label, double width) {
        texts.add(new TextPlaces.Text(x, y, words, label, false, width));
    }

    private void write() {
        List<String> classes = TextPlaces.classes(texts);
        for (int i = 0; i < texts.size(); i++) {
            TextPlaces.Text text = texts.get(i);
            Label label = text.label();
            boolean bare = !text.isHaloed();
            out.leaf(
                    "text",
                    text.words(),
                    "x",
                    percent(text.x()),
                    "dx",
                    text.gap() == 0 ? "" : n(text.gap()),
                    "y",
                    n(text.y()),
                    "fill",
                    label.hue().light(),
                    "text-anchor",
                    label.anchor().equals("start") ? "" : label.anchor(),
                    "font-weight",
                    label.bold() ? "600" : "",
                    "stroke",
                    bare ? "" : Hue.PAPER.light(),
                    "stroke-width",
                    bare ? "" : "4",
                    "paint-order",
                    bare ? "" : "stroke",
                    "class",
                    label.hue().fillClass()
                            + (bare ? "" : " " + Hue.PAPER.strokeClass())
                            + classes.get(i)
                            + (text.words().equals(caption) ? " still" : ""));
        }
    }

    private static String percent(double x) {
        long tenths = Math.round(x * 1000.0 / Chart.WIDTH);
        return (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10 + (tenths % 10 == 0 ? "" : "." + Math.abs(tenths) % 10)
                + "%";
    }

    /**
     * Where the texts of a picture stand on narrower pages. A text keeps its size there, so it may be moved sideways into the
     * picture, or left out if another one has its place. The style sheet does both by classes: a page needs no script for it.
     */
    private static final class TextPlaces {
        private static final int STEP = 10;
        private static final int MOST_STEPS = 27;
        /** Letters are as wide as the reader's font has them. */
        private static final double SLACK = 1.14;

        private static final int MOST_ASIDE = 12;

        private TextPlaces() {}

        /**
         * A text as it is drawn at full width.
         *
         * @param gap what it stands further right, in points of the screen
         * @param room the width of the shape that it must fit into; large if there is none
         */
        record Text(double x, double gap, double y, String words, Svg.Label label, boolean isHaloed, double room) {
            Text(double x, double y, String words, Svg.Label label, boolean isHaloed, double room) {
                this(x, 0, y, words, label, isHaloed, room);
            }

            double width() {
                return SLACK * (label.bold() ? Svg.widthOfBold(words) : Svg.widthOf(words));
            }

            /** Whether it is, as names of places on an axis across are, below the middle of itself. */
            boolean isTick() {
                return label.anchor().equals("middle") && !isHaloed;
            }

            /** Names of an axis up cannot go elsewhere; then conclusions before the rest; what lies in a shape last. */
            int rank() {
                boolean isUp = label.anchor().equals("end") && !isHaloed;
                return isUp || label.bold() ? 0 : isHaloed ? 1 : room < Double.MAX_VALUE ? 3 : 2;
            }
        }

        /**
         * A width of pages.
         *
         * @param prefix of its classes
         * @param media for which pages it holds
         * @param width of the picture at the least such page
         * @param others widths of it on larger such pages, where the same texts must not meet either
         * @param left free room left of the picture
         * @param right free room right of it
         */
        private record Layout(
                String prefix, String media, double width, List<Double> others, double left, double right) {}

        /** A text and how far it is moved. */
        private record Placed(Text text, int steps) {
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

        /** The rules of all classes. */
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

        /** With the way to go, left or right, or nothing at all. */
        private static String name(Layout layout, int steps) {
            return layout.prefix() + (steps < 0 ? "l" : "r") + Math.abs(steps);
        }

        /** For each text its classes, each after a space. */
        static List<String> classes(List<Text> texts) {
            String[] classes = new String[texts.size()];
            Arrays.fill(classes, "");
            List<Integer> order = IntStream.range(0, classes.length)
                    .boxed()
                    .sorted(Comparator.comparingInt(i -> texts.get(i).rank()))
                    .toList();
            for (Layout layout : LAYOUTS) {
                List<Placed> taken = new ArrayList<>();
                for (int i : order) {
                    Text text = texts.get(i);
                    int steps = free(text, layout, taken);
                    Placed placed = new Placed(text, steps);
                    boolean fits = Math.abs(steps) <= MOST_STEPS
                            && text.width() <= layout.width() + layout.left() + layout.right()
                            && (text.room() == Double.MAX_VALUE
                                    || text.gap() + text.width() + 4 <= text.room() * layout.width() / Chart.WIDTH);
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

        /** Beside what is there already, if it is no name of a place on an axis. */
        private static int free(Text text, Layout layout, List<Placed> taken) {
            int inside = steps(text, layout);
            boolean isMovable = text.room() == Double.MAX_VALUE && (text.label().bold() || text.isHaloed());
            int most = isMovable ? MOST_ASIDE : 0;
            for (int aside = 0; aside <= most; aside++) {
                for (int steps : new int[] {inside + aside, inside - aside}) {
                    Box box = box(text, layout.width(), steps);
                    boolean isIn = box.x() >= -layout.left() && box.right() <= layout.width() + layout.right();
                    if (isIn && new Placed(text, steps).isFree(layout, taken)) {
                        return steps;
                    }
                }
            }
            return inside;
        }

        private static int steps(Text text, Layout layout) {
            Box box = box(text, layout.width(), 0);
            double tooFarLeft = -layout.left() - box.x();
            double tooFarRight = box.right() - layout.width() - layout.right();
            return tooFarRight > 0
                    ? -(int) Math.ceil(tooFarRight / STEP)
                    : tooFarLeft > 0 ? (int) Math.ceil(tooFarLeft / STEP) : 0;
        }

        private static Box box(Text text, double width, int steps) {
            double x = text.x() * width / Chart.WIDTH + text.gap() + steps * STEP;
            double wide = text.width();
            double left = x - wide * text.label().before();
            return new Box(left, text.y() - Svg.FONT, wide, Svg.FONT + 3);
        }

        /** Names of an axis across stay further from each other: those that are left are then as far apart as before. */
        private static boolean meet(Box one, Box other, boolean isTick) {
            double gap = isTick && one.y() == other.y() ? 12 : 10;
            return one.x() < other.right() + gap
                    && other.x() < one.right() + gap
                    && one.y() < other.bottom()
                    && other.y() < one.bottom();
        }
    }
}
