package dev.downbeat.report.view;

import dev.downbeat.capacity.Capacity;
import dev.downbeat.capacity.Characteristics;
import dev.downbeat.capacity.RateStep;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.ResponseBounds;
import dev.downbeat.verdict.ResponseIntervals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The sections of a sheet about load: how much, how long at each load, and how long in calm. */
final class SheetLoad {
    /** The section whose rows are rates. */
    static final String AGAINST_LOAD = "response_time_against_load";

    private final Characteristics characteristics;
    private final Capacity capacity;

    SheetLoad(Characteristics characteristics) {
        this.characteristics = characteristics;
        this.capacity = characteristics.capacity();
    }

    List<SheetSection> sections() {
        List<SheetSection> sections = new ArrayList<>(List.of(rate(), times(), calm()));
        characteristics.calm().flatMap(SheetLoad::requests).ifPresent(sections::add);
        return sections;
    }

    private SheetSection rate() {
        SheetSection.Builder section = new SheetSection.Builder();
        OptionalDouble low = capacity.sustainablePerSecond();
        OptionalDouble high = capacity.tooHighPerSecond();
        section.row(
                "sustainable",
                "sustainable rate",
                capacity.isConfirmed() ? "confirmed by a longer run" : "not confirmed",
                new SheetValue(SheetValue.Unit.PER_SECOND, low, low, high));
        section.row(
                "saturation",
                "most it can do",
                "from how waits grow above",
                capacity.saturation().map(SheetValue::of).orElse(SheetValue.unknown(SheetValue.Unit.PER_SECOND)));
        section.remark("Sustainable: " + objectives() + " met, and waits do not grow; its high end is the"
                + " lowest rate that was shown to be too high.");
        capacity.steps().stream()
                .filter(step -> high.isPresent() && step.perSecond() == high.getAsDouble())
                .forEach(step -> section.remark("At " + Numbers.rate(step.perSecond()) + ": " + step.reason() + "."));
        section.remark(limit());
        return section.named("rate", "Rate");
    }

    private String objectives() {
        return capacity.plan().slos().stream()
                .map(slo -> slo.subject() + " " + slo.limit())
                .collect(Collectors.joining(", "));
    }

    private String limit() {
        return switch (capacity.limit()) {
            case CONNECTIONS ->
                "The connections were the limit, not the service: requests waited for a free one while it was as quick"
                        + " as ever.";
            case CLIENT -> "The client was the limit: what the service could do above that was not measured.";
            case NOT_REACHED -> "No limit was reached: no rate that was tried was shown to be too high.";
            case SERVICE -> "";
        };
    }

    private SheetSection times() {
        SheetSection.Builder section = new SheetSection.Builder();
        for (RateStep step : capacity.steps()) {
            if (step.outcome() == RateStep.Outcome.UNSOUND) {
                continue;
            }
            for (double percentile : RateStep.PERCENTILES) {
                section.row(
                        "response_" + code(percentile),
                        Percentiles.name(percentile),
                        Numbers.rate(step.perSecond()) + " " + step.outcome().word(),
                        time(step, percentile));
            }
        }
        section.remark("Under overload waits keep growing, so these times depend on how long you measure. Where an "
                + "interval (?) or a number (-) is missing, the run was too short for it.");
        return section.crossed(AGAINST_LOAD, "Response time against load");
    }

    private static SheetValue time(RateStep step, double percentile) {
        Distribution times = step.recording().responseAtLeast();
        if (!ResponseBounds.carries(percentile, times.count())) {
            return SheetValue.unknown(SheetValue.Unit.NANOS);
        }
        return step.outcome() == RateStep.Outcome.GROWING
                ? SheetValue.seenNanos(times.valueAtPercentile(percentile))
                : step.responseTime(percentile)
                        .map(SheetValue::of)
                        .orElse(SheetValue.seenNanos(times.valueAtPercentile(percentile)));
    }

    /** "p99_9". */
    private static String code(double percentile) {
        return Percentiles.name(percentile).replace('.', '_');
    }

    /** By name, if requests have names. */
    private static Optional<SheetSection> requests(RunResult calm) {
        Map<String, Recording> byName = calm.recording().byName();
        if (byName.isEmpty()) {
            return Optional.empty();
        }
        Observations seen = Observations.of(calm);
        SheetSection.Builder section = new SheetSection.Builder();
        for (String name : NameRows.names(byName)) {
            ResponseBounds bounds = seen.named(name).response();
            for (double percentile : Percentiles.belowMax(Percentiles.Place.SUMMARY)) {
                section.row(
                        "response_" + code(percentile),
                        Percentiles.name(percentile),
                        name,
                        bounds.count() > 0 && bounds.carries(percentile)
                                ? SheetValue.seenNanos(bounds.atLeastNanos(percentile))
                                : SheetValue.unknown(SheetValue.Unit.NANOS));
            }
        }
        NameRows.rest(byName).forEach(section::remark);
        return Optional.of(section.crossed("requests", "Response time of each request at half the sustainable rate"));
    }

    private SheetSection calm() {
        SheetSection.Builder section = new SheetSection.Builder();
        if (characteristics.calm().isEmpty()) {
            return section.remark(
                            characteristics.unmeasured().isPresent()
                                    ? "Not measured: the sheet ended before it."
                                    : "Not measured: no rate was sustained whose half could be taken.")
                    .named("half_load", "Response time at half the sustainable rate");
        }
        RunResult calm = characteristics.calm().get();
        Observations seen = Observations.of(calm);
        ResponseIntervals intervals = seen.intervals();
        ResponseBounds bounds = seen.response();
        String condition = DurationText.rounded(calm.plan().durationNanos()) + " at "
                + Numbers.rate(bounds.count() * 1e9 / calm.plan().durationNanos());
        for (double percentile : Percentiles.belowMax(Percentiles.Place.SUMMARY)) {
            SheetValue value = bounds.carries(percentile)
                    ? intervals
                            .at(percentile)
                            .map(SheetValue::of)
                            .orElse(SheetValue.seenNanos(bounds.atLeastNanos(percentile)))
                    : SheetValue.unknown(SheetValue.Unit.NANOS);
            section.row("response_" + code(percentile), Percentiles.name(percentile), condition, value);
            if (value.low().isEmpty() || value.high().isEmpty()) {
                section.remark(Percentiles.name(percentile) + ": " + intervals.whyNot(percentile) + ".");
            }
        }
        return section.named("half_load", "Response time at half the sustainable rate");
    }
}
