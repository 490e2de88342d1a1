package dev.downbeat.report.chart.draw;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Where the texts of a picture stand on narrower pages. A text keeps its size there, so it may be moved sideways into the
 * picture, or left out if another one has its place. The style sheet does both by classes: a page needs no script for it.
 */
final class TextPlaces {
    private static final int STEP = 10;
    private static final int MOST_STEPS = 30;
    /** Letters are as wide as the reader's font has them. */
    private static final double SLACK = 1.14;

    private static final int MOST_ASIDE = 12;

    private TextPlaces() {}

    /**
     * A text as it is drawn at full width.
     *
     * @param room the width of the shape that it must fit into; large if there is none
     */
    record Text(double x, double y, String words, Svg.Label label, boolean isHaloed, double room) {
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
     * @param left free room left of the picture
     * @param right free room right of it
     */
    private record Layout(String prefix, String media, double width, double left, double right) {}

    private static final List<Layout> LAYOUTS = List.of(
            new Layout("m", "(min-width:761px) and (max-width:1019px)", 710, 0, -6),
            new Layout("n", "(max-width:760px)", 288, 30, 8));

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
            List<Box> taken = new ArrayList<>();
            for (int i : order) {
                Text text = texts.get(i);
                int steps = free(text, layout, taken);
                Box box = box(text, layout, steps);
                boolean fits = Math.abs(steps) <= MOST_STEPS
                        && text.width() <= layout.width() + layout.left() + layout.right()
                        && (text.room() == Double.MAX_VALUE
                                || text.width() + 4 <= text.room() * layout.width() / Chart.WIDTH);
                if (!fits || taken.stream().anyMatch(other -> meet(other, box, text.isTick()))) {
                    classes[i] += " " + layout.prefix() + "0";
                } else {
                    taken.add(box);
                    classes[i] += steps == 0 ? "" : " " + name(layout, steps);
                }
            }
        }
        return List.of(classes);
    }

    /** Beside what is there already, if it is no name of a place on an axis. */
    private static int free(Text text, Layout layout, List<Box> taken) {
        int inside = steps(text, layout);
        int most = text.label().bold() || text.isHaloed() ? MOST_ASIDE : 0;
        for (int aside = 0; aside <= most; aside++) {
            for (int steps : new int[] {inside + aside, inside - aside}) {
                Box box = box(text, layout, steps);
                boolean isIn = box.x() >= -layout.left() && box.right() <= layout.width() + layout.right();
                if (isIn && taken.stream().noneMatch(other -> meet(other, box, text.isTick()))) {
                    return steps;
                }
            }
        }
        return inside;
    }

    private static int steps(Text text, Layout layout) {
        Box box = box(text, layout, 0);
        double tooFarLeft = -layout.left() - box.x();
        double tooFarRight = box.right() - layout.width() - layout.right();
        return tooFarRight > 0
                ? -(int) Math.ceil(tooFarRight / STEP)
                : tooFarLeft > 0 ? (int) Math.ceil(tooFarLeft / STEP) : 0;
    }

    private static Box box(Text text, Layout layout, int steps) {
        double x = text.x() * layout.width() / Chart.WIDTH + steps * STEP;
        double wide = text.width();
        double left = switch (text.label().anchor()) {
            case "start" -> x;
            case "middle" -> x - wide / 2;
            default -> x - wide;
        };
        return new Box(left, text.y() - Svg.FONT, wide, Svg.FONT + 3);
    }

    /** Names of an axis across stay further from each other: those that are left are then as far apart as before. */
    private static boolean meet(Box one, Box other, boolean isTick) {
        double gap = isTick && one.y() == other.y() ? 12 : 4;
        return one.x() < other.right() + gap
                && other.x() < one.right() + gap
                && one.y() < other.bottom()
                && other.y() < one.bottom();
    }
}
