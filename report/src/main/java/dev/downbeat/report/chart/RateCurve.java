package dev.downbeat.report.chart;

import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Distribution;
import dev.downbeat.report.chart.draw.Hue;
import dev.downbeat.report.chart.draw.Plot;
import dev.downbeat.report.chart.draw.Svg;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.List;
import java.util.stream.Stream;

/** A percentile of the response time by rate, with its interval at each rate. */
record RateCurve(Plot plot, double percentile, Hue hue) {
    /** The rates with enough requests for the percentile. */
    static List<RateStep> carrying(Stream<RateStep> steps, double percentile) {
        return steps.filter(
                        step -> ResponseBounds.carries(percentile, times(step).count()))
                .toList();
    }

    static long nanos(RateStep step, double percentile) {
        return times(step).valueAtPercentile(percentile);
    }

    static String words(RateStep step, double percentile) {
        return DurationText.rounded(nanos(step, percentile));
    }

    private static Distribution times(RateStep step) {
        return step.recording().responseAtLeast();
    }

    double x(RateStep step) {
        return plot.x(step.perSecond());
    }

    double y(RateStep step) {
        return plot.y(nanos(step, percentile));
    }

    void interval(Svg svg, RateStep step) {
        step.responseTime(percentile)
                .filter(QuantileInterval::isBounded)
                .ifPresent(interval -> svg.line(
                        x(step),
                        plot.y(interval.lowNanos().orElseThrow()),
                        x(step),
                        plot.y(interval.highNanos().orElseThrow()),
                        Svg.Stroke.of(hue, 2)));
    }
}
