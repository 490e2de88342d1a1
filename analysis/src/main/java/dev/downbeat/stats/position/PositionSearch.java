package dev.downbeat.stats.position;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.PartNames;
import dev.downbeat.stats.position.PositionFinding.Closes;
import dev.downbeat.stats.position.PositionFinding.NewConnectionCosts.Opened;
import dev.downbeat.stats.position.PositionFinding.SpectrumStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Combines the findings about connections, first requests, periods and the spectrum. */
public final class PositionSearch {
    /** In fewer runs, requests of equal length may meet a timer at equal places by chance. */
    static final int RUNS_AGAINST_TIMERS = 10;

    private final List<List<SerialRequest>> runs;
    private final Closes closes;
    private final ConnectionLifetimes lives;
    private final boolean areConnectionsReported;
    private final PartNames names;

    /** The cost of first requests, of runs if connections are not reported or later ones differ. */
    private final Optional<FirstRequestCost> cost;

    private final Optional<FirstRequestCost> later;

    private PositionSearch(
            List<List<SerialRequest>> runs, Closes closes, boolean areConnectionsReported, PartNames names) {
        this.runs = List.copyOf(runs);
        this.closes = closes;
        this.lives = ConnectionLifetimes.of(runs);
        this.areConnectionsReported = areConnectionsReported;
        this.names = names;
        this.cost = FirstRequestCost.of(runs);
        this.later = FirstRequestCost.ofLater(runs);
    }

    /**
     * All findings in serial runs, most important first.
     *
     * @param areConnectionsReported whether the client reports its connections; otherwise positions are those in the run
     * @param names the names of the parts of a request
     */
    public static List<PositionFinding> find(
            List<List<SerialRequest>> runs, Closes closes, boolean areConnectionsReported, PartNames names) {
        return new PositionSearch(runs, closes, areConnectionsReported, names).findings();
    }

    /** The rule of the connections explains most, the spectrum least. */
    private List<PositionFinding> findings() {
        List<PositionFinding> found = new ArrayList<>();
        if (lives.isRule()) {
            found.add(new PositionFinding.ClosedAfter(
                    lives, closes, unansweredAtEnds(), later.or(() -> cost).map(FirstRequestCost::costNanos)));
        }
        List<Period> inRuns =
                PeriodFinder.find(runs.stream().map(ConnectionLifetimes::times).toList());
        List<Period> onConnections =
                lives.ended() == 0 ? List.of() : PeriodFinder.find(ConnectionLifetimes.series(runs));
        Set<Integer> lengths = onConnections.stream().map(Period::length).collect(Collectors.toSet());
        boolean mayBeTimer = runs.size() < RUNS_AGAINST_TIMERS;
        onConnections.forEach(period -> found.add(new PositionFinding.Periodic(period, true, true, mayBeTimer)));
        inRuns.stream()
                .filter(period -> !isOfConnections(period) && !lengths.contains(period.length()))
                .forEach(period ->
                        found.add(new PositionFinding.Periodic(period, false, areConnectionsReported, mayBeTimer)));
        cost.filter(this::isCertain)
                .ifPresent(known -> found.add(
                        areConnectionsReported
                                ? new PositionFinding.NewConnectionCosts(
                                        known, later.isPresent() ? Opened.FIRST_OF_RUN : Opened.ANY, names)
                                : new PositionFinding.FirstOfRun(known)));
        later.filter(this::isCertain)
                .ifPresent(known -> found.add(new PositionFinding.NewConnectionCosts(known, Opened.LATER, names)));
        if (!lives.isRule() && lives.ended() > 0) {
            found.add(new PositionFinding.ClosedIrregularly(lives, closes));
        }
        Optional<PositionFinding.StepInSpectrum> step = step(inRuns, onConnections);
        step.ifPresent(found::add);
        if (lives.isRule()
                && lives.usual() > 1
                && step.filter(PositionFinding.StepInSpectrum::isExplained).isEmpty()) {
            found.add(new PositionFinding.FirstsInSpectrum(lives.usual()));
        }
        return found;
    }

    private boolean isCertain(FirstRequestCost known) {
        return known.lowNanos() > 0 || (areConnectionsReported && known.highNanos() < 0);
    }

    private boolean isOfConnections(Period period) {
        return lives.isRule() && period.length() % lives.usual() == 0;
    }

    /** Requests that broke their connection or found it closed. */
    private long unansweredAtEnds() {
        return runs.stream()
                .mapToLong(run -> IntStream.range(0, run.size())
                        .filter(i -> !run.get(i).answered()
                                && (i + 1 == run.size()
                                        || run.get(i + 1).position()
                                                <= run.get(i).position()))
                        .count())
                .sum();
    }

    private Optional<PositionFinding.StepInSpectrum> step(List<Period> inRuns, List<Period> onConnections) {
        Distribution service = Distribution.of(runs.stream()
                .flatMap(List::stream)
                .filter(SerialRequest::answered)
                .mapToLong(SerialRequest::serviceNanos));
        int length = runs.stream().mapToInt(List::size).max().orElse(0);
        return SpectrumStep.greatest(service).map(step -> {
            List<Integer> periods = new ArrayList<>();
            if (lives.isRule()) {
                periods.add(lives.usual());
            }
            inRuns.forEach(period -> periods.add(period.length()));
            onConnections.forEach(period -> periods.add(period.length()));
            for (int period : periods) {
                int slow = (length + period - 1) / period;
                if (step.isOneIn(period) || step.isOneIn((double) length / slow)) {
                    return new PositionFinding.StepInSpectrum(step, period, slow, length, Optional.empty());
                }
            }
            boolean areSlow = cost.filter(known -> known.lowNanos() > 0
                            && step.isOneIn((double) (known.first() + known.rest()) / known.first()))
                    .isPresent();
            return new PositionFinding.StepInSpectrum(
                    step,
                    0,
                    0,
                    length,
                    areSlow
                            ? Optional.of(
                                    areConnectionsReported && later.isEmpty() ? "on its connection" : "of its run")
                            : Optional.empty());
        });
    }
}
