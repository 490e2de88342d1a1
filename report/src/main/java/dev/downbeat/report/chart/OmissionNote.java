package dev.downbeat.report.chart;

import dev.downbeat.report.chart.draw.Box;
import dev.downbeat.report.chart.draw.Hue;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.verdict.AskedObjective;
import java.util.List;

/**
 * The label about coordinated omission next to an arrow between both curves, placed where it covers least.
 *
 * @param curves curves of response and service times
 * @param name place of the label of the service times
 */
record OmissionNote(
        Omission omission, Plot plot, List<SpectrumCurve> curves, Box name, List<AskedObjective.Percentile> slos) {
    private static final String HIDDEN = "Hidden by coordinated omission";
    private static final int OVERLAP_COST = 1_000;
    private static final double HEIGHT = 66;

    void draw(Svg svg) {
        double x = plot.x(Scale.Nines.of(omission.percentile()));
        double top = plot.y(omission.responseNanos()) + 3;
        double bottom = plot.y(omission.serviceNanos()) - 3;
        svg.line(x, top, x, bottom, Svg.Stroke.of(Hue.INK, 1.4));
        arrow(svg, x, top, 6);
        arrow(svg, x, bottom, -6);
        Box place = place(new Box(x, top, Svg.widthOfBold(HIDDEN) + 24, bottom - top));
        svg.box(place, Hue.PAPER);
        double left = place.x() + 12;
        svg.haloed(left, place.y() + 20, HIDDEN, Svg.Label.start(Hue.INK).strong());
        svg.haloed(left, place.y() + 38, omission.counted(), Svg.Label.start(Hue.INK));
        svg.haloed(left, place.y() + 55, omission.waited(), Svg.Label.start(Hue.INK));
    }

    /**
     * The place next to the arrow.
     *
     * @param arrow the arrow's place, and the width that the label needs
     */
    private Box place(Box arrow) {
        Box best = new Box(arrow.x() + 12, arrow.y(), arrow.width(), HEIGHT);
        int least = Integer.MAX_VALUE;
        for (double left : new double[] {arrow.x() + 12, arrow.x() - 12 - arrow.width()}) {
            boolean inside =
                    left > plot.box().x() && left + arrow.width() < plot.box().right();
            double last = plot.box().bottom() - HEIGHT;
            for (double top = plot.box().y(); inside && top <= last; top += 6) {
                Box here = new Box(left, top, arrow.width(), HEIGHT);
                double middle = top + HEIGHT / 2;
                double away = Math.max(0, Math.max(arrow.y() - middle, middle - arrow.bottom()));
                int covered = covered(here) + (int) Math.ceil(away / 6);
                if (covered < least) {
                    least = covered;
                    best = here;
                }
            }
        }
        return best;
    }

    private int covered(Box box) {
        int covered = curves.stream().mapToInt(curve -> curve.crossings(box)).sum();
        boolean besides = name.x() > box.right() || name.right() < box.x();
        covered += besides || name.y() > box.bottom() || name.bottom() < box.y() ? 0 : OVERLAP_COST;
        double from = plot.box().x();
        for (AskedObjective.Percentile slo : slos) {
            double y = plot.y(slo.limitNanos());
            double to = plot.x(Scale.Nines.of(slo.percentile()));
            boolean hides = y > box.y() - Svg.FONT && y < box.bottom() && from < box.right() && to > box.x();
            covered += hides ? 1 : 0;
            from = to;
        }
        return covered;
    }

    private static void arrow(Svg svg, double x, double y, double back) {
        Path head = new Path().to(x, y).to(x - 4, y + back).to(x + 4, y + back);
        svg.area(head + "Z", Hue.INK, 1);
    }
}
