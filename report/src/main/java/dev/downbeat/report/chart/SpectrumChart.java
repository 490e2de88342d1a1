package dev.downbeat.report.chart;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.PercentileTable;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.PercentileName;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.Slo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Response and service times by percentile, on an axis where each nine takes as much room; between the two lies what is
 * hidden from those who count from sending.
 */
public final class SpectrumChart implements Chart {

    private static final double ROOM_FOR_MAX = 0.2;
    private static final double FEW = 10;

    /** Fewer nanoseconds are of no interest: some lucky requests would take two thirds of the height. */
    private static final double FIRST_SHOWN = 10;

    private static final double[] READ = {50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 100};
    private static final String HATCH = "hidden";
    private static final String HIDDEN = "Hidden by coordinated omission";
    private static final String SERVED = "service time: what a closed loop would print";
    private static final int OVER_A_NAME = 1_000;
    private static final double NOTE_HEIGHT = 66;

    private final ResponseBounds bounds;
    private final Distribution service;
    private final Optional<Omission> omission;
    private final boolean oursToo;
    private final List<Slo.Percentile> slos;
    private final Plot plot;
    private final SpectrumCurve responses;
    private final SpectrumCurve services;

    public SpectrumChart(RunReport report) {
        bounds = ResponseBounds.of(report.result().recording());
        service = report.result().recording().service();
        omission = Omission.of(report);
        oursToo = PercentileTable.isOursToo(report);
        slos = report.verdict().objectives().stream()
                .map(Objective::slo)
                .filter(Slo.Percentile.class::isInstance)
                .map(Slo.Percentile.class::cast)
                .filter(slo -> slo.percentile() < 100)
                .sorted(Comparator.comparingDouble(Slo.Percentile::percentile))
                .toList();
        double nines = Math.max(1, Math.log10((double) Math.max(1, bounds.count()))) + ROOM_FOR_MAX;
        plot = new Plot(new Box(70, 20, 884, 340), new Scale.Nines(nines), durations());
        responses = new SpectrumCurve(bounds.atLeast(), plot);
        services = new SpectrumCurve(service, plot);
    }

    private Scale.Log durations() {
        long least = bounds.atLeast().valueAtPercentile(FIRST_SHOWN);
        long most = bounds.atLeast().maxNanos();
        if (!service.isEmpty()) {
            least = Math.min(least, service.valueAtPercentile(FIRST_SHOWN));
            most = Math.max(most, service.maxNanos());
        }
        for (Slo.Percentile slo : slos) {
            least = Math.min(least, slo.limitNanos());
            most = Math.max(most, slo.limitNanos());
        }
        return Scale.Log.durations(least, most);
    }

    /** Whether there are enough requests for a median. */
    public boolean isShown() {
        return bounds.carries(50);
    }

    @Override
    public String id() {
        return "spectrum";
    }

    @Override
    public String title() {
        return "Times by percentile";
    }

    @Override
    public String lead() {
        return "Response time counts from when a request was meant to start; service time only from when it was sent."
                + " Each step to the right is ten times rarer.";
    }

    @Override
    public String description() {
        String range =
                "Response time rises from " + DurationText.rounded(bounds.atLeastNanos(50)) + " at the median to "
                        + (bounds.isKnownAt(100) ? "" : "at least ") + DurationText.rounded(bounds.atLeastNanos(100))
                        + " at the maximum.";
        String hidden = omission.map(one -> " Hidden by coordinated omission, " + one.inWords() + ".")
                .orElse("");
        return range + hidden + " The table of percentiles has the same numbers.";
    }

    @Override
    public int height() {
        return 410;
    }

    @Override
    public void draw(Svg svg) {
        few(svg);
        if (omission.isPresent()) {
            svg.hatch(HATCH, Hue.HIDDEN, Hue.HATCH);
            svg.patterned(between(), HATCH);
        }
        plot.axes(svg, "percentile of requests");
        objectives(svg);
        if (!service.isEmpty()) {
            svg.path(services.between(first(), nines()).toString(), Svg.Stroke.of(Hue.SERVICE, 2));
        }
        response(svg);
        names(svg);
        omission.ifPresent(one -> omission(svg, one));
    }

    /** Where the lines begin. */
    private static double first() {
        return Scale.Nines.of(FIRST_SHOWN);
    }

    private double nines() {
        return ((Scale.Nines) plot.across()).nines();
    }

    /** Where fewer than ten requests lie beyond, a value is an anecdote. */
    private void few(Svg svg) {
        double from = Math.max(0, Math.log10(bounds.count() / FEW));
        double x = plot.x(from);
        svg.box(new Box(x, plot.box().y(), plot.box().right() - x, plot.box().height()), Hue.SHADE);
        svg.text(
                plot.box().right() - 6,
                plot.box().bottom() - 8,
                bounds.count() > FEW * FEW ? "fewer than 10 requests beyond" : "fewer than 10",
                Svg.Label.end(Hue.MUTED));
    }

    private String between() {
        return responses.between(first(), nines())
                + services.between(nines(), first()).continued() + "Z";
    }

    /** A line as far as it is known, and dashes where it is a lower bound. */
    private void response(Svg svg) {
        double known = 0;
        double step = nines() / 300;
        while (!bounds.isExact() && known < nines() && bounds.isKnownAt(100 * (1 - Math.pow(10, -known)))) {
            known += step;
        }
        boolean all = bounds.isExact() || known >= nines();
        double until = all ? nines() : known;
        if (until > first()) {
            svg.path(responses.between(first(), until).toString(), Svg.Stroke.of(Hue.RESPONSE, 2.4));
        }
        if (!all) {
            svg.path(
                    responses.between(Math.max(first(), until), nines()).toString(),
                    new Svg.Stroke(Hue.RESPONSE, 2.4, "2 4"));
            svg.haloed(
                    Math.min(plot.x(until) + 8, plot.box().right() - 190),
                    Math.max(plot.box().y() + 26, responses.y(plot.x(until)) - 26),
                    "dotted: at least",
                    Svg.Label.start(Hue.RESPONSE));
        }
    }

    private void objectives(Svg svg) {
        double from = 0;
        Path steps = new Path();
        List<Slo.Percentile> shown = new ArrayList<>();
        for (Slo.Percentile slo : slos) {
            double to = Math.min(nines(), Scale.Nines.of(slo.percentile()));
            if (to > from) {
                steps.to(plot.x(from), plot.y(slo.limitNanos()));
                steps.to(plot.x(to), plot.y(slo.limitNanos()));
                from = to;
                shown.add(slo);
            }
        }
        if (!shown.isEmpty()) {
            svg.path(steps.toString(), Svg.Stroke.dashed(Hue.SLO));
        }
        for (Slo.Percentile slo : shown) {
            String words = slo.subject() + " " + slo.limit();
            double end = plot.x(Math.min(nines(), Scale.Nines.of(slo.percentile()))) - 4;
            double x = Math.max(end - Svg.widthOf(words), plot.box().x() + 4);
            svg.haloed(x, plot.y(slo.limitNanos()) - 6, words, Svg.Label.start(Hue.SLO));
        }
    }

    private void names(Svg svg) {
        String response = oursToo ? "response time, our own delays included" : "response time: what callers waited";
        double left = plot.box().right() - Svg.widthOfBold(response);
        double y = Math.min(responses.y(left), responses.y(plot.box().right()));
        svg.haloed(
                plot.box().right() - 4,
                Math.max(plot.box().y() + 10, y - 9),
                response,
                Svg.Label.end(Hue.RESPONSE).strong());
        if (service.isEmpty()) {
            return;
        }
        Box served = served();
        svg.haloed(
                served.x(),
                served.bottom() - 3,
                SERVED,
                Svg.Label.start(Hue.SERVICE).strong());
    }

    /** The place of the name of the service times. */
    private Box served() {
        double wide = Svg.widthOfBold(SERVED);
        double x = flat(wide);
        double below = Math.max(services.y(x), services.y(x + wide));
        return new Box(x, Math.min(plot.box().bottom() - 26, below + 20) - Svg.FONT, wide, Svg.FONT + 3);
    }

    /** The place furthest to the right where the curve of service times does not climb away from its name. */
    private double flat(double width) {
        double x = plot.box().right() - width - 10;
        while (x > plot.box().x() + 10 && services.y(x) - services.y(x + width) > 40) {
            x -= 20;
        }
        return x;
    }

    private void omission(Svg svg, Omission one) {
        double x = plot.x(Scale.Nines.of(one.percentile()));
        double top = plot.y(one.responseNanos()) + 3;
        double bottom = plot.y(one.serviceNanos()) - 3;
        svg.line(x, top, x, bottom, Svg.Stroke.of(Hue.INK, 1.4));
        arrow(svg, x, top, 6);
        arrow(svg, x, bottom, -6);
        Box place = place(new Box(x, top, Svg.widthOfBold(HIDDEN) + 24, bottom - top));
        svg.box(place, Hue.PAPER);
        double left = place.x() + 12;
        svg.text(left, place.y() + 20, HIDDEN, Svg.Label.start(Hue.INK).strong());
        svg.text(left, place.y() + 38, one.counted(), Svg.Label.start(Hue.INK));
        svg.text(left, place.y() + 55, one.waited(), Svg.Label.start(Hue.INK));
    }

    /**
     * Beside the arrow, where it covers the least of the curves.
     *
     * @param arrow where it is, and how wide the place must be
     */
    private Box place(Box arrow) {
        Box best = new Box(arrow.x() + 12, arrow.y(), arrow.width(), NOTE_HEIGHT);
        int least = Integer.MAX_VALUE;
        for (double left : new double[] {arrow.x() + 12, arrow.x() - 12 - arrow.width()}) {
            boolean inside =
                    left > plot.box().x() && left + arrow.width() < plot.box().right();
            double last = plot.box().bottom() - NOTE_HEIGHT;
            for (double top = plot.box().y(); inside && top <= last; top += 6) {
                Box here = new Box(left, top, arrow.width(), NOTE_HEIGHT);
                double middle = top + NOTE_HEIGHT / 2;
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
        int covered = responses.crossings(box) + services.crossings(box);
        Box name = served();
        boolean besides = name.x() > box.right() || name.right() < box.x();
        covered += besides || name.y() > box.bottom() || name.bottom() < box.y() ? 0 : OVER_A_NAME;
        double from = plot.box().x();
        for (Slo.Percentile slo : slos) {
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

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (double percentile : READ) {
            if (bounds.carries(percentile)) {
                String served = ResponseBounds.carries(percentile, service.count())
                        ? ", service " + DurationText.rounded(service.valueAtPercentile(percentile))
                        : "";
                readings.add(new Reading(
                        plot.x(Math.min(nines(), percentile == 100 ? nines() : Scale.Nines.of(percentile))),
                        PercentileName.of(percentile) + ": response "
                                + (bounds.isKnownAt(percentile) ? "" : "at least ")
                                + DurationText.rounded(bounds.atLeastNanos(percentile)) + served));
            }
        }
        return readings;
    }
}
