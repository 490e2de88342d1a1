package dev.downbeat.report.chart;

import dev.downbeat.analysis.PercentileRow;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Chart;
import dev.downbeat.report.chart.draw.Path;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Scale;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.report.chart.draw.Svg.Box;
import dev.downbeat.report.chart.draw.ThemeColour;
import dev.downbeat.report.data.ClockLabels;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Response and service times by percentile; on the axis each further nine takes the same width. The gap between them is
 * hidden from tools that measure from the send.
 */
public final class SpectrumChart implements Chart {

    private static final double ROOM_FOR_MAX = 0.2;
    private static final double FEW = 10;

    /** The line of another run, whose name stands above the chart, where it covers nothing. */
    static final Svg.Stroke OVERLAID = new Svg.Stroke(ThemeColour.LOOKUP, 2, "10 3 2 3");

    private final String id;
    private final String title;
    private final ResponseBounds bounds;
    private final Distribution service;
    private final Optional<Omission> omission;
    private final boolean includesOwnDelay;
    private final ClockLabels words;
    private final String serviceLabel;
    private final List<ServiceLevelObjective.Percentile> slos;
    private final Plot plot;
    private final SpectrumCurve responses;
    private final SpectrumCurve services;
    private final Optional<Overlay> overlay;

    /** The response times of another run. */
    private record Overlay(String name, Spectrum spectrum) {}

    public SpectrumChart(RunReport report) {
        this(
                "spectrum",
                "Times by percentile",
                Spectrum.of(report),
                Stream.concat(Stream.of(report), report.beside().map(RunReport.Beside::run).stream())
                        .map(Spectrum::of)
                        .toList(),
                report.beside());
    }

    /** The displayed name of all requests together. */
    public static final String ALL_REQUESTS = "all requests";

    private SpectrumChart(
            String id, String title, Spectrum shown, List<Spectrum> beside, Optional<RunReport.Beside> over) {
        this.id = id;
        this.title = title;
        bounds = shown.bounds();
        service = shown.service();
        includesOwnDelay = shown.includesOwnDelay();
        words = shown.words();
        serviceLabel = "service time (" + words.took() + ")";
        omission = Omission.of(bounds, service);
        slos = shown.slos();
        double nines = Math.max(1, Math.log10((double) Math.max(1, bounds.count()))) + ROOM_FOR_MAX;
        plot = new Plot(new Box(70, 20, 884, 340), new Scale.Nines(nines), Spectrum.durations(beside));
        int points = beside.size() == 1 || over.isPresent()
                ? SpectrumCurve.POINTS
                : SpectrumCurve.POINTS / 3; // a page has a size limit
        responses = new SpectrumCurve(bounds.atLeast(), plot, points);
        services = new SpectrumCurve(service, plot, points);
        overlay = over.map(other -> new Overlay(other.name(), Spectrum.of(other.run())))
                .filter(other -> other.spectrum().bounds().hasEnoughFor(50));
    }

    /**
     * One chart for each name after that of all requests, all with the same time axis. Names with too few requests for
     * a median are omitted.
     *
     * @param names displayed name of each, by name
     */
    public static Map<String, Chart> of(RunReport report, Map<String, String> names) {
        Map<String, Spectrum> shown = new LinkedHashMap<>();
        shown.put(ALL_REQUESTS, Spectrum.of(report));
        names.forEach((name, word) -> shown.putIfAbsent(word, Spectrum.of(report, name)));
        shown.values().removeIf(spectrum -> !spectrum.bounds().hasEnoughFor(50));
        List<Spectrum> beside = List.copyOf(shown.values());
        Map<String, Chart> charts = new LinkedHashMap<>();
        shown.forEach((word, spectrum) -> charts.put(
                word,
                new SpectrumChart(
                        "spectrum-" + charts.size(),
                        "Times by percentile: " + word,
                        spectrum,
                        beside,
                        Optional.empty())));
        return charts;
    }

    /** Shown if there are enough requests for a median. */
    @Override
    public boolean isShown() {
        return bounds.hasEnoughFor(50);
    }

    @Override
    public About about() {
        return new About(id, title, lead(), description(), 410, Axis.ACROSS);
    }

    private String lead() {
        return "Response time counts from " + words.start() + "; service time only from " + words.taken() + "."
                + " Each step to the right is ten times rarer."
                + overlay.map(one -> " Dash-dotted: response time of " + one.name() + ".")
                        .orElse("");
    }

    private String description() {
        String range =
                "Response time rises from " + DurationText.rounded(bounds.atLeastNanos(50)) + " at the median to "
                        + PercentileCells.time(bounds, 100)
                        + " at the maximum.";
        String hidden = omission.map(one ->
                        " Hidden by coordinated omission, " + one.counted(words) + " but " + one.waited(words) + ".")
                .orElse("");
        return range + hidden + " The table of percentiles has the same numbers.";
    }

    @Override
    public void draw(Svg svg) {
        shadeFewRequests(svg);
        if (omission.isPresent()) {
            svg.hatch(id + "-hidden", ThemeColour.HIDDEN, ThemeColour.HATCH);
            svg.patterned(areaBetween(), id + "-hidden");
        }
        plot.axes(svg, "percentile of requests");
        objectives(svg);
        if (!service.isEmpty()) {
            svg.path(services.between(first(), nines()), Svg.Stroke.of(ThemeColour.SERVICE, 2));
        }
        responseLine(svg);
        overlay.ifPresent(other -> draw(svg, other));
        labels(svg);
        omission.ifPresent(one -> new OmissionNote(
                        one,
                        one.counted(words),
                        one.waited(words),
                        plot,
                        List.of(responses, services),
                        serviceLabelBox(),
                        slos)
                .draw(svg));
    }

    private static double first() {
        return Scale.Nines.of(Spectrum.FIRST_SHOWN);
    }

    private double nines() {
        return ((Scale.Nines) plot.across()).nines();
    }

    /** Marks where fewer than ten requests lie beyond, so that values are anecdotal. */
    private void shadeFewRequests(Svg svg) {
        double from = Math.max(0, Math.log10(bounds.count() / FEW));
        double x = plot.x(from);
        plot.band(svg, x, plot.box().right(), ThemeColour.SHADE);
        svg.text(
                plot.box().right() - 6,
                plot.box().bottom() - 8,
                bounds.count() > FEW * FEW ? "fewer than 10 requests beyond" : "fewer than 10",
                Svg.Label.end(ThemeColour.MUTED));
    }

    private String areaBetween() {
        return responses.between(first(), nines())
                + services.between(nines(), first()).continued() + "Z";
    }

    /** A solid line where times are exact, dashed where they are lower bounds. */
    private void responseLine(Svg svg) {
        double known = 0;
        double step = nines() / 300;
        while (!bounds.isExact() && known < nines() && bounds.isKnownAt(100 * (1 - Math.pow(10, -known)))) {
            known += step;
        }
        boolean all = bounds.isExact() || known >= nines();
        double until = all ? nines() : known;
        if (until > first()) {
            svg.path(responses.between(first(), until), Svg.Stroke.of(ThemeColour.RESPONSE, 2.4));
        }
        if (!all) {
            svg.path(
                    responses.between(Math.max(first(), until), nines()),
                    new Svg.Stroke(ThemeColour.RESPONSE, 2.4, "2 4"));
            svg.haloed(
                    Math.min(plot.x(until) + 8, plot.box().right() - 190),
                    Math.max(plot.box().y() + 26, responses.y(plot.x(until)) - 26),
                    "dotted: at least",
                    Svg.Label.start(ThemeColour.RESPONSE));
        }
    }

    /** The line of another run, as far as it has requests. */
    private void draw(Svg svg, Overlay other) {
        ResponseBounds times = other.spectrum().bounds();
        double last = Math.min(nines(), Math.log10((double) times.count()));
        svg.path(new SpectrumCurve(times.atLeast(), plot).between(first(), last), OVERLAID);
    }

    private void objectives(Svg svg) {
        double from = 0;
        Path steps = new Path();
        List<ServiceLevelObjective.Percentile> shown = new ArrayList<>();
        for (ServiceLevelObjective.Percentile slo : slos) {
            double to = Math.min(nines(), Scale.Nines.of(slo.percentile()));
            if (to > from) {
                steps.to(plot.x(from), plot.y(slo.limitNanos()));
                steps.to(plot.x(to), plot.y(slo.limitNanos()));
                from = to;
                shown.add(slo);
            }
        }
        svg.path(steps, Svg.Stroke.dashed(ThemeColour.SLO));
        for (ServiceLevelObjective.Percentile slo : shown) {
            String words = slo.subject() + " " + slo.limit();
            double end = plot.x(Math.min(nines(), Scale.Nines.of(slo.percentile()))) - 4;
            double x = Math.max(end - Svg.widthOf(words), plot.box().x() + 4);
            svg.haloed(x, plot.y(slo.limitNanos()) - 6, words, Svg.Label.start(ThemeColour.SLO));
        }
    }

    private void labels(Svg svg) {
        String response = includesOwnDelay
                ? "response time, Downbeat's own delay included"
                : "response time (" + words.waited() + ")";
        double left = plot.box().right() - Svg.widthOfBold(response);
        double y = Math.min(responses.y(left), responses.y(plot.box().right()));
        svg.haloed(
                plot.box().right() - 4,
                Math.max(plot.box().y() + 10, y - 9),
                response,
                Svg.Label.end(ThemeColour.RESPONSE).strong());
        if (service.isEmpty()) {
            return;
        }
        Box place = serviceLabelBox();
        svg.haloed(
                place.x(),
                place.bottom() - 3,
                serviceLabel,
                Svg.Label.start(ThemeColour.SERVICE).strong());
    }

    private Box serviceLabelBox() {
        double width = Svg.widthOfBold(serviceLabel);
        double x = serviceLabelX(width);
        double below = Math.max(services.y(x), services.y(x + width));
        return new Box(x, Math.min(plot.box().bottom() - 26, below + 20) - Svg.FONT, width, Svg.FONT + 3);
    }

    /** The rightmost place where the service curve stays close to its label. */
    private double serviceLabelX(double width) {
        double x = plot.box().right() - width - 10;
        while (x > plot.box().x() + 10 && services.y(x) - services.y(x + width) > 40) {
            x -= 20;
        }
        return Math.max(x, plot.box().x() + 6); // labels of the axis are further left
    }

    @Override
    public List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (double percentile : Percentiles.of(Percentiles.Place.CHART)) {
            if (bounds.hasEnoughFor(percentile)) {
                String served = ResponseBounds.hasEnoughFor(percentile, service.count())
                        ? ", service " + DurationText.rounded(service.valueAtPercentile(percentile))
                        : "";
                readings.add(new Reading(
                        plot.x(Scale.Nines.of(percentile)),
                        Percentiles.name(percentile) + ": response "
                                + PercentileCells.time(bounds, percentile) + served
                                + overlaid(percentile)));
            }
        }
        return readings;
    }

    private String overlaid(double percentile) {
        return overlay.filter(one -> one.spectrum().bounds().hasEnoughFor(percentile))
                .map(one -> "; " + one.name() + " "
                        + PercentileCells.time(one.spectrum().bounds(), percentile))
                .orElse("");
    }

    /** The label about coordinated omission next to an arrow between both curves, placed where it covers least. */
    private record OmissionNote(
            Omission omission,
            String counted,
            String waited,
            Plot plot,
            List<SpectrumCurve> curves,
            Box name,
            List<ServiceLevelObjective.Percentile> slos) {
        private static final String HIDDEN = "Hidden by coordinated omission";
        private static final int OVERLAP_COST = 1_000;
        private static final double HEIGHT = 66;

        void draw(Svg svg) {
            double x = plot.x(Scale.Nines.of(omission.percentile()));
            double top = plot.y(omission.responseNanos()) + 3;
            double bottom = plot.y(omission.serviceNanos()) - 3;
            svg.line(x, top, x, bottom, Svg.Stroke.of(ThemeColour.INK, 1.4));
            arrow(svg, x, top, 6);
            arrow(svg, x, bottom, -6);
            double width = Math.max(Svg.widthOfBold(HIDDEN), Math.max(Svg.widthOf(counted), Svg.widthOf(waited)));
            Box place = place(new Box(x, top, width + 24, bottom - top));
            svg.box(place, ThemeColour.PAPER);
            double left = place.x() + 12;
            svg.haloed(
                    left,
                    place.y() + 20,
                    HIDDEN,
                    Svg.Label.start(ThemeColour.INK).strong());
            svg.haloed(left, place.y() + 38, counted, Svg.Label.start(ThemeColour.INK));
            svg.haloed(left, place.y() + 55, waited, Svg.Label.start(ThemeColour.INK));
        }

        /** The place next to the arrow, whose box is as wide as the label must be. */
        private Box place(Box arrow) {
            Box best = new Box(arrow.x() + 12, arrow.y(), arrow.width(), HEIGHT);
            int least = Integer.MAX_VALUE;
            for (double left : new double[] {arrow.x() + 12, arrow.x() - 12 - arrow.width()}) {
                boolean inside = left > plot.box().x()
                        && left + arrow.width() < plot.box().right();
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
            int covered =
                    curves.stream().mapToInt(curve -> curve.crossings(box)).sum();
            boolean isBeside = name.x() > box.right() || name.right() < box.x();
            covered += isBeside || name.y() > box.bottom() || name.bottom() < box.y() ? 0 : OVERLAP_COST;
            double from = plot.box().x();
            for (ServiceLevelObjective.Percentile slo : slos) {
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
            svg.area(head + "Z", ThemeColour.INK, 1);
        }
    }

    /**
     * Where coordinated omission hides most: the lowest percentile at which response time over service time nearly reaches
     * its maximum.
     *
     * @param known whether the response time is exact there, rather than a lower bound
     */
    private record Omission(double percentile, long responseNanos, long serviceNanos, boolean known) {
        private static final double NEARLY = 0.5;

        /** Empty if nothing notable is hidden. */
        static Optional<Omission> of(ResponseBounds bounds, Distribution service) {
            List<Omission> notable = new ArrayList<>();
            for (double percentile : Percentiles.belowMax(Percentiles.Place.TABLE)) {
                if (bounds.hasEnoughFor(percentile) && ResponseBounds.hasEnoughFor(percentile, service.count())) {
                    boolean isOwnDelay = bounds.hasNotableOwnDelay(percentile);
                    notable.add(new Omission(
                            percentile,
                            isOwnDelay ? bounds.withoutOwnDelayNanos(percentile) : bounds.atLeastNanos(percentile),
                            Math.max(1, service.valueAtPercentile(percentile)),
                            !isOwnDelay && bounds.isKnownAt(percentile)));
                }
            }
            double most = notable.stream().mapToDouble(Omission::factor).max().orElse(0);
            return notable.stream()
                    .filter(one -> one.factor() >= PercentileRow.NOTABLE && one.factor() >= NEARLY * most)
                    .findFirst();
        }

        double factor() {
            return (double) responseNanos / serviceNanos;
        }

        /** "at p99: 4.05 ms from sending,". */
        String counted(ClockLabels words) {
            return "at " + Percentiles.name(percentile) + ": " + DurationText.rounded(serviceNanos) + " from "
                    + words.beginning() + ",";
        }

        /** "1.05 s from intended start (x259)". */
        String waited(ClockLabels words) {
            return (known ? "" : "at least ") + DurationText.rounded(responseNanos)
                    + (words.isIncoming() ? " waited (" : " from intended start (")
                    + (known ? "" : "≥") + Numbers.times(factor()) + ")";
        }
    }

    /**
     * A distribution of times drawn by percentile.
     *
     * @param words the names of its clocks
     * @param includesOwnDelay whether Downbeat's own delay is a considerable part of some times
     * @param slos objectives on percentiles below the maximum, ascending
     */
    private record Spectrum(
            ResponseBounds bounds,
            Distribution service,
            ClockLabels words,
            boolean includesOwnDelay,
            List<ServiceLevelObjective.Percentile> slos) {
        /** The first percentile drawn; a few fast requests would otherwise take two thirds of the height. */
        static final double FIRST_SHOWN = 10;

        static Spectrum of(RunReport report) {
            return of(report.analysis().observations(), objectives(report));
        }

        static Spectrum of(RunReport report, String name) {
            return of(
                    report.analysis().observations().named(name),
                    objectives(report)
                            .filter(ServiceLevelObjective.Named.class::isInstance)
                            .map(ServiceLevelObjective.Named.class::cast)
                            .filter(slo -> slo.name().equals(name))
                            .map(ServiceLevelObjective.Named::slo));
        }

        private static Stream<ServiceLevelObjective> objectives(RunReport report) {
            return report.verdict().objectives().stream().map(JudgedObjective::slo);
        }

        private static Spectrum of(Observations seen, Stream<ServiceLevelObjective> slos) {
            return new Spectrum(
                    seen.response(),
                    seen.result().recording().service(),
                    ClockLabels.of(seen.result()),
                    Percentiles.of(Percentiles.Place.TABLE).stream()
                            .anyMatch(percentile -> seen.response().hasEnoughFor(percentile)
                                    && seen.response().hasNotableOwnDelay(percentile)),
                    ServiceLevelObjective.Percentile.among(slos).stream()
                            .filter(slo -> slo.percentile() < 100)
                            .sorted(Comparator.comparingDouble(ServiceLevelObjective.Percentile::percentile))
                            .toList());
        }

        /** A time axis that fits all of them. */
        static Scale.Log durations(List<Spectrum> shown) {
            return Scale.Log.durations(
                    shown.stream().mapToLong(Spectrum::leastNanos).min().orElse(1),
                    shown.stream().mapToLong(Spectrum::mostNanos).max().orElse(1));
        }

        private long leastNanos() {
            long least = bounds.atLeast().valueAtPercentile(FIRST_SHOWN);
            if (!service.isEmpty()) {
                least = Math.min(least, service.valueAtPercentile(FIRST_SHOWN));
            }
            return Math.min(least, limits().min().orElse(least));
        }

        private long mostNanos() {
            long most = Math.max(bounds.atLeast().maxNanos(), service.isEmpty() ? 0 : service.maxNanos());
            return Math.max(most, limits().max().orElse(most));
        }

        private LongStream limits() {
            return slos.stream().mapToLong(ServiceLevelObjective.Percentile::limitNanos);
        }
    }
}
