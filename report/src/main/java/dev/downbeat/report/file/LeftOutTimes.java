package dev.downbeat.report.file;

import dev.downbeat.record.Interval;
import dev.downbeat.record.NamedValues;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.run.RunResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/**
 * Saves durations once: those of all requests are left out of an interval where its names add up to them, and those of
 * the run where its intervals do. They are a quarter of a file.
 */
final class LeftOutTimes {
    private LeftOutTimes() {}

    /** The result without the durations that {@link #filledIn} finds again. */
    static RunResult without(RunResult result) {
        return result.with(
                overIntervals(result.recording(), result.intervals(), LeftOutTimes::unlessEqual),
                ofIntervals(result.intervals(), LeftOutTimes::unlessEqual));
    }

    /** The result with durations that were left out. Files of schema 1 have all of them. */
    static RunResult filledIn(RunResult result) {
        List<Interval> intervals = ofIntervals(result.intervals(), LeftOutTimes::orSum);
        return result.with(overIntervals(result.recording(), intervals, LeftOutTimes::orSum), intervals);
    }

    private static ResponseTimes unlessEqual(ResponseTimes own, ResponseTimes sum) {
        return own.equals(sum) ? ResponseTimes.NONE : own;
    }

    private static ResponseTimes orSum(ResponseTimes own, ResponseTimes sum) {
        return own.equals(ResponseTimes.NONE) ? sum : own;
    }

    private static List<Interval> ofIntervals(List<Interval> intervals, BinaryOperator<ResponseTimes> chosen) {
        return intervals.stream()
                .map(interval -> {
                    Recording all = interval.recording();
                    return interval.with(
                            all.with(chosen.apply(all.times(), sum(all.byName().values()))));
                })
                .toList();
    }

    private static Recording overIntervals(
            Recording all, List<Interval> intervals, BinaryOperator<ResponseTimes> chosen) {
        List<Recording> parts = intervals.stream().map(Interval::recording).toList();
        Map<String, Recording> names = new LinkedHashMap<>();
        all.byName()
                .forEach((name, one) -> names.put(
                        name,
                        one.with(chosen.apply(
                                one.times(),
                                sum(parts.stream().map(part -> part.named(name)).toList())))));
        return all.with(chosen.apply(all.times(), sum(parts))).withNames(NamedValues.taking(names));
    }

    private static ResponseTimes sum(Collection<Recording> parts) {
        return ResponseTimes.sum(parts.stream().map(Recording::times).toList());
    }
}
