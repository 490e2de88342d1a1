package dev.downbeat.compare;

import dev.downbeat.event.Overloads.Overload;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Recording;
import dev.downbeat.stats.change.ShareChange;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One of the two systems compared.
 *
 * @param name a name for readers
 * @param runs at least one run
 */
public record ComparedSide(String name, List<ComparedRun> runs) {
    public ComparedSide {
        runs = List.copyOf(runs);
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("runs must be at least 1, but was 0");
        }
    }

    /** The requests of one name only. */
    ComparedSide named(String request) {
        return new ComparedSide(
                name, runs.stream().map(run -> run.named(request)).toList());
    }

    /** The same side with some of its runs, by index. */
    ComparedSide only(List<Integer> kept) {
        return new ComparedSide(name, kept.stream().map(runs::get).toList());
    }

    /** The runs that have response times; all if none has. */
    List<ComparedRun> counted() {
        List<ComparedRun> counted = runs.stream()
                .filter(run -> !run.total().responseAtLeast().isEmpty())
                .toList();
        return counted.isEmpty() ? runs : counted;
    }

    /** The sum of all recordings of all runs. */
    public Recording total() {
        return Recording.sum(runs.stream().map(ComparedRun::total).toList());
    }

    /** How long its runs were measured together. */
    double seconds() {
        return runs.stream().mapToLong(ComparedRun::lengthNanos).sum() / 1e9;
    }

    /** Whether the value of each run is known exactly. */
    boolean isEachKnownAt(double percentile) {
        return runs.stream().allMatch(run -> run.total().isKnownAt(percentile));
    }

    /** The mean of the runs' planned rates; empty if one is unknown. */
    public OptionalDouble ratePerSecond() {
        return runs.stream().allMatch(run -> run.ratePerSecond().isPresent())
                ? runs.stream()
                        .mapToDouble(run -> run.ratePerSecond().orElse(0))
                        .average()
                : OptionalDouble.empty();
    }

    /** The worst overload of all runs; empty if there was none. */
    public Optional<Overload> overload() {
        return runs.stream()
                .flatMap(run -> run.overload().stream())
                .max(Comparator.comparingDouble(Overload::missingShare));
    }

    /** The name of the worst overloaded run and how many are overloaded, if others are not; otherwise this side's name. */
    public String nameOfOverloaded() {
        List<ComparedRun> overloaded =
                runs.stream().filter(run -> run.overload().isPresent()).toList();
        return overloaded.stream()
                .filter(run -> overloaded.size() < runs.size())
                .max(Comparator.comparingDouble(
                        run -> run.overload().map(Overload::missingShare).orElse(0.0)))
                .map(worst -> worst.name() + " (" + overloaded.size() + " of " + runs.size() + ")")
                .orElse(name);
    }

    boolean isOverloadedUnlike(ComparedSide other) {
        return overload().isPresent() && other.overload().isEmpty();
    }

    /** Lower bounds of the response times, by run and stretch. */
    List<List<Distribution>> times() {
        return runs.stream()
                .map(run ->
                        run.stretches().stream().map(Recording::responseAtLeast).toList())
                .toList();
    }

    /**
     * Upper bounds of the part of each percentile that the system may not have caused: the delays of Downbeat and of
     * other processes.
     *
     * @return nanoseconds, in the order of the percentiles
     */
    List<Long> foreignNanos(List<Double> percentiles) {
        Recording all = total();
        Distribution times = all.responseAtLeast();
        List<Long> ownDelays = ResponseBounds.ownDelayNanos(all, percentiles);
        long others = runs.stream().mapToLong(ComparedRun::othersNanos).max().orElse(0);
        return IntStream.range(0, percentiles.size())
                .mapToObj(i -> Math.min(times.valueAtPercentile(percentiles.get(i)), ownDelays.get(i) + others))
                .toList();
    }

    /** The same for separate runs, whose value is the geometric mean. */
    List<Long> foreignNanosOfRuns(List<Double> percentiles) {
        List<ComparedSide> each = counted().stream()
                .map(run -> new ComparedSide(name, List.of(run)))
                .toList();
        List<List<Long>> parts =
                each.stream().map(run -> run.foreignNanos(percentiles)).toList();
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<Distribution> times =
                each.stream().map(run -> run.total().responseAtLeast()).toList();
        return IntStream.range(0, percentiles.size())
                .mapToObj(i -> {
                    long[] nanos = times.stream()
                            .mapToLong(run -> run.valueAtPercentile(percentiles.get(i)))
                            .toArray();
                    LongStream own = IntStream.range(0, nanos.length)
                            .mapToLong(run -> nanos[run] - parts.get(run).get(i));
                    return geometricMean(LongStream.of(nanos)) - geometricMean(own);
                })
                .toList();
    }

    private static long geometricMean(LongStream nanos) {
        return Math.round(Math.exp(nanos.mapToDouble(Math::log).average().orElse(0)));
    }

    /** The same side without the seconds affected by incidents. */
    ComparedSide calm() {
        return new ComparedSide(
                name, runs.stream().map(ComparedRun::withoutIncidents).toList());
    }

    /** The share of unanswered requests: by run if there are several, otherwise by stretch. */
    ShareChange.Side failures() {
        boolean isOneRun = runs.size() == 1;
        List<Recording> blocks = isOneRun
                ? runs.get(0).stretches()
                : runs.stream().map(ComparedRun::total).toList();
        return new ShareChange.Side(
                blocks.stream()
                        .map(block ->
                                new ShareChange.BlockCounts(ComparedRun.notAnswered(block), ComparedRun.planned(block)))
                        .toList(),
                isOneRun);
    }
}
