package dev.downbeat.report.chart.draw;

import java.util.ArrayList;
import java.util.List;

/**
 * Draws shapes. Each has its colour twice: as an attribute, which holds where styles are blocked, and as a class, which the
 * style sheet gives the colour of the reader's theme. Coordinates are those of the picture, a tenth is kept; a place is two
 * numbers, so some methods have five parameters. Not thread-safe.
 */
public final class Svg {
    /** About the width of a letter, as a share of the size of the font: labels must find their places without a browser. */
    private static final double LETTER = 0.53;

    private static final double BOLD = 1.12;

    public static final double FONT = 13;

    /**
     * On a phone the style sheet presses a picture together across and leaves its letters as they are. This wide it is on
     * the narrowest, with so much more at its left and its right; what fits there fits wherever there is more room.
     */
    private static final double NARROW = 284;

    private static final double NARROW_LEFT = 44;
    private static final double NARROW_RIGHT = 4;
    private static final double LINE = 16;

    /** Letters of other fonts are wider than most. */
    private static final double WIDER = 1.2;

    /** Where a label finds room that has none at its place: lines up and down. */
    private static final double[] NUDGES = {0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6};

    private static final String HALO = " " + Hue.PAPER.strokeClass();

    private final Markup out;
    private final List<Box> taken = new ArrayList<>();

    public Svg(Markup out) {
        this.out = out;
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

    /** A coordinate, the same in every locale. */
    public static String n(double value) {
        long tenths = Math.round(value * 10);
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
                "stroke-linejoin",
                "round",
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
        out.empty("circle", "cx", n(x), "cy", n(y), "r", n(radius), "fill", fill.light(), "class", fill.fillClass());
    }

    /** A text at its place; on a phone it may lie a little beside it, and is left out where another is. */
    public void text(double x, double y, String words, Label label) {
        text(x, y, words, label, "", 0);
    }

    /** A text that stays readable on whatever lies below it. On a phone it moves to where there is room. */
    public void haloed(double x, double y, String words, Label label) {
        text(x, y, words, label, HALO, NUDGES);
    }

    /** A text on a bar of this width, where it must fit on a phone too or is left out there. */
    public void within(double x, double y, double width, String words, Label label) {
        boolean fits = WIDER * widthOf(words) <= width * NARROW / Chart.WIDTH && place(narrow(x, y, words, label));
        text(x, y, words, label, fits ? "" : " w");
    }

    private void text(double x, double y, String words, Label label, String looks, double... nudges) {
        Box there = narrow(x, y, words, label);
        if (place(there)) {
            text(x, y, words, label, looks);
            return;
        }
        text(x, y, words, label, looks + " w");
        double most = NARROW + NARROW_RIGHT - there.width();
        double left = Math.max(-NARROW_LEFT, Math.min(most, there.x()));
        for (double nudge : nudges) {
            if (place(new Box(left, there.y() + nudge * LINE, there.width(), LINE))) {
                Label moved = new Label(label.hue(), "start", label.bold());
                text(left * Chart.WIDTH / NARROW, y + nudge * LINE, words, moved, looks + " n");
                return;
            }
        }
    }

    /** Where a text lies on the narrowest screen. */
    private static Box narrow(double x, double y, String words, Label label) {
        double wide = WIDER * (label.bold() ? widthOfBold(words) : widthOf(words)) + 3;
        double before = label.anchor().equals("start") ? 0 : label.anchor().equals("end") ? wide : wide / 2;
        return new Box(x * NARROW / Chart.WIDTH - before, y - FONT, wide, LINE);
    }

    /** Takes the place unless it is outside, or something is written there. */
    private boolean place(Box box) {
        boolean isFree = box.x() >= -NARROW_LEFT
                && box.right() <= NARROW + NARROW_RIGHT
                && box.y() >= 0
                && taken.stream()
                        .noneMatch(other -> box.x() < other.right() + 3
                                && other.x() < box.right() + 3
                                && box.y() < other.bottom()
                                && other.y() < box.bottom());
        if (isFree) {
            taken.add(box);
        }
        return isFree;
    }

    private void text(double x, double y, String words, Label label, String looks) {
        boolean isForPhones = looks.endsWith(" n"); // the style sheet shows it, and has its colours
        boolean bare = isForPhones || !looks.startsWith(HALO);
        out.leaf(
                "text",
                words,
                "x",
                n(x),
                "y",
                n(y),
                "display",
                isForPhones ? "none" : "",
                "fill",
                isForPhones ? "" : label.hue().light(),
                "text-anchor",
                label.anchor().equals("start") ? "" : label.anchor(),
                "font-weight",
                label.bold() ? "600" : "",
                "stroke",
                bare ? "" : Hue.PAPER.light(),
                "stroke-width",
                bare ? "" : "4",
                "stroke-linejoin",
                bare ? "" : "round",
                "paint-order",
                bare ? "" : "stroke",
                "class",
                label.hue().fillClass() + looks);
    }
}
