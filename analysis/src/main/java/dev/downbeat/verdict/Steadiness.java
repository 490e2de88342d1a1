package dev.downbeat.verdict;

import dev.downbeat.event.Incident;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentileRange;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.steady.Stationarity;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseIntervals;
import dev.downbeat.verdict.bound.ResponseIntervals.Cuts;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.verdict.caveat.Caveat.Unsteady;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Whether a run was steady while its load lasted and was steady, and which change would have been visible. The drain is
 * excluded, since its responses are slow ones. Immutable.
 */
public final class Steadiness {
    /** Stalls shorter than this part of a run are handled as outliers. */
    private static final int LONG_SHARE = 10;

    /** The percentiles of requests up to which answers must be complete, the preferred one first. */
    private static final List<Double> SLOW = Percentiles.of(Percentiles.Place.DECIDING).stream()
            .sorted(Comparator.reverseOrder())
            .toList();

    private static final int MOST_EXCLUDED = 3;

    private final Stationarity found;

    /** The starts of the stretches, and the end of the last one. */
    private final List<Long> starts;

    /** The medians of the first and last tenth. */
    private final Stationarity.Ends tenths;

    private Steadiness(Stationarity found, List<Long> starts, Stationarity.Ends tenths) {
        this.found = found;
        this.starts = starts;
        this.tenths = tenths;
    }

    /**
     * Judges a run; empty if its load was not steady or it was too short to tell.
     *
     * @param events events of the run; a long stall is an event, not a change of the service
     */
    static Optional<Steadiness> of(RunResult result, List<Incident> events) {
        if (!result.plan().workload().isSteady()) {
            return Optional.empty();
        }
        List<Incident> standstills = events.stream()
                .filter(event -> event.lengthNanos() * LONG_SHARE >= result.durationNanos())
                .filter(Incident::isStandstill)
                .toList();
        return ofIntervals(whileLoaded(result).stream()
                .filter(interval -> standstills.stream().noneMatch(event -> event.holds(interval.startNanos())))
                .toList());
    }

    /**
     * Judges intervals of a steady load; empty if they were too few to tell. The first intervals are excluded, since
     * only fast requests have ended by then. If that would exclude more than a third, as with late timeouts, only
     * answers are judged, up to the highest percentile that excludes less.
     */
    public static Optional<Steadiness> ofIntervals(List<Interval> all) {
        OptionalInt first = withSlowAnswers(all, SLOW.get(0), Recording::responseAtLeast);
        if (first.isPresent()) {
            return ofIntervals(all.subList(first.getAsInt(), all.size()), SLOW.get(0), Recording::responseAtLeast);
        }
        for (double slow : SLOW) {
            first = withSlowAnswers(all, slow, Recording::response);
            if (first.isPresent()) {
                return ofIntervals(all.subList(first.getAsInt(), all.size()), slow, Recording::response);
            }
        }
        return Optional.empty();
    }

    private static Optional<Steadiness> ofIntervals(
            List<Interval> intervals, double highest, Function<Recording, Distribution> kind) {
        List<Distribution> times = new ArrayList<>();
        List<Long> starts = new ArrayList<>();
        long endNanos = 0;
        for (List<Interval> stretch : Cuts.stretches(intervals, ResponseIntervals.LEAST_STRETCH_NANOS)) {
            Distribution responses = sum(stretch, kind);
            if (!responses.isEmpty()) {
                times.add(responses);
                starts.add(stretch.get(0).startNanos());
                endNanos = stretch.get(stretch.size() - 1).endNanos();
            }
        }
        starts.add(endNanos);
        return Stationarity.of(times, highest).map(found -> new Steadiness(found, starts, tenths(times)));
    }

    private static Stationarity.Ends tenths(List<Distribution> times) {
        List<Distribution> tenths = PercentileRange.tenths(times);
        return new Stationarity.Ends(
                tenths.get(0).valueAtPercentile(50),
                tenths.get(tenths.size() - 1).valueAtPercentile(50));
    }

    private static Distribution sum(List<Interval> intervals, Function<Recording, Distribution> kind) {
        return Distribution.sum(intervals.stream()
                .map(interval -> kind.apply(interval.recording()))
                .toList());
    }

    public Stationarity found() {
        return found;
    }

    /** "no change detected; a median shift of 26 % or more would have been detected", or the change itself. */
    public String text() {
        Optional<Caveat> caveat = caveat();
        if (caveat.isPresent()) {
            return caveat.get().text();
        }
        if (!found.isJudged()) {
            return "not judged: requests depend on each other for longer than a twelfth of the run; p50 was "
                    + DurationText.rounded(Math.round(tenths.beforeNanos())) + " in its first tenth, "
                    + DurationText.rounded(Math.round(tenths.afterNanos())) + " in its last";
        }
        return "no change detected" + slowSpell().map(Steadiness::exceptDuring).orElse("") + "; "
                + (found.visible().isEmpty()
                        ? "the run is too short to detect a shift of the median"
                        : "a median shift of " + percent(found.visible().getAsDouble() - 1)
                                + " or more would have been detected");
    }

    private static String exceptDuring(Unsteady.SlowSpell spell) {
        return " except from " + Numbers.seconds(spell.fromNanos()) + " to " + Numbers.seconds(spell.toNanos());
    }

    /** At most two digits, rounded up. */
    private static String percent(double share) {
        double percent = Math.max(1, Math.ceil(share * 100));
        double shown = percent < 100 ? percent : Math.ceil(percent / 10) * 10;
        return String.format(Locale.ROOT, "%,.0f %%", shown);
    }

    /** The caveat; empty if the run was steady or too short to tell. */
    Optional<Caveat> caveat() {
        return change().<Caveat>map(change -> change)
                .or(() -> found.start() == 0
                        ? Optional.empty()
                        : Optional.of(new Unsteady.WarmUp(starts.get(found.start()))));
    }

    /** The change; empty if the run was steady after its start. */
    public Optional<Unsteady.NotSteady> change() {
        if (found.shape() == Stationarity.Shape.STEADY) {
            return Optional.empty();
        }
        long begin = starts.get(found.start());
        return Optional.of(new Unsteady.NotSteady(
                found, found.at() == 0 ? 0 : starts.get(found.at()), starts.get(starts.size() - 1) - begin));
    }

    /** Seconds inside the run in which all requests were slower. */
    Optional<Unsteady.SlowSpell> slowSpell() {
        return found.spell()
                .map(spell -> new Unsteady.SlowSpell(spell, starts.get(spell.from()), starts.get(spell.to())));
    }

    /**
     * The first interval in which requests as slow as this percentile can have ended; empty if it is later than a third. The
     * percentile is that of the second half, since a warm-up is slow itself.
     */
    private static OptionalInt withSlowAnswers(
            List<Interval> all, double percentile, Function<Recording, Distribution> kind) {
        long slowNanos = sum(all.subList(all.size() / 2, all.size()), kind).valueAtPercentile(percentile);
        int first = 0;
        while (first < all.size()
                && all.get(first).startNanos() + all.get(first).lengthNanos() / 2 < slowNanos) {
            first++;
        }
        return first > all.size() / MOST_EXCLUDED ? OptionalInt.empty() : OptionalInt.of(first);
    }

    private static List<Interval> whileLoaded(RunResult result) {
        List<Interval> all = result.intervals();
        int end = all.size();
        while (end > 0
                && (all.get(end - 1).recording().ledger().planned() == 0
                        || all.get(end - 1).startNanos() >= result.plan().durationNanos())) {
            end--;
        }
        return all.subList(0, end);
    }
}
