package dev.downbeat.capacity;

import dev.downbeat.answers.Answer;
import dev.downbeat.capacity.RateSearch.RateMeasurement;
import dev.downbeat.stats.Growth;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What `sweep` says that a queue with one server can do. */
public final class CapacityAnswers {
    private CapacityAnswers() {}

    /** What overload tells, for each length of a step, and what is sustained by one that is slow or stands still at times. */
    public static Stream<Answer> all() {
        Stream<Answer> capacities = IntStream.of(6, 12)
                .mapToObj(seconds -> new Answer(
                        "a capacity, 95 %",
                        "M/M/1, steps of " + seconds + " s",
                        5,
                        200,
                        seed -> capacity(seed, seconds, plan -> SearchOnPaper.queue(seed, plan), SearchOnPaper.MU)));
        ChangingQueue spells = ChangingQueue.spells(2.2, 5, 25);
        double ofSpells = SearchOnPaper.MU * (0.8 + 0.2 / 2.2);
        ChangingQueue stalls = ChangingQueue.stalls(0.1, 5);
        return Stream.concat(
                capacities,
                Stream.of(
                        new Answer(
                                "a capacity of a service with slow phases",
                                "spells x2.2 of 5 s each 25 s, steps of 25 s",
                                60,
                                100,
                                seed -> capacity(seed, 25, plan -> spells.measurement(seed, plan), ofSpells)),
                        new Answer(
                                "a capacity of a service with slow phases",
                                "spells x2.2 of 5 s each 25 s, steps of 12 s",
                                60,
                                100,
                                seed -> capacity(seed, 12, plan -> spells.measurement(seed, plan), ofSpells)),
                        new Answer(
                                "a sustained rate",
                                "spells x2.2 of 5 s each 25 s",
                                5,
                                40,
                                seed -> sustained(seed, spells, 25, "p90<20ms", 197.8)),
                        new Answer(
                                "a sustained rate",
                                "spells x2.2 of 5 s each 25 s, steps of 12 s",
                                5,
                                40,
                                seed -> sustained(seed, spells, 12, "p90<20ms", 197.8)),
                        new Answer(
                                "a sustained rate",
                                "stalls of 100 ms each 5 s",
                                5,
                                40,
                                seed -> sustained(seed, stalls, 25, "p99<150ms", 447))));
    }

    /** Beside the highest rate that keeps the objective; no answer without a run that confirms it. */
    private static Answer.Outcome sustained(long seed, ChangingQueue queue, int stepSeconds, String slo, double truth) {
        SearchPlan plan = new SearchPlan(
                100 + 7 * (seed % 11),
                5_000,
                stepSeconds * SearchOnPaper.SECOND,
                900 * SearchOnPaper.SECOND,
                List.of(ServiceLevelObjective.parse(slo)),
                0.05,
                OptionalLong.empty());
        Capacity found = SearchOnPaper.search(plan, queue.measurement(seed, plan));
        if (found.sustainablePerSecond().isEmpty() || !found.isConfirmed()) {
            return Answer.Outcome.NONE;
        }
        return Answer.rightIf(found.sustainablePerSecond().getAsDouble() <= truth);
    }

    private static Answer.Outcome capacity(
            long seed, int seconds, Function<SearchPlan, RateMeasurement> service, double truth) {
        SearchPlan usual = SearchOnPaper.plan(100 + 7 * (seed % 11), 5_000, seconds, "p90<20ms");
        SearchPlan plan = new SearchPlan(
                usual.fromPerSecond(),
                usual.toPerSecond(),
                usual.stepNanos(),
                18 * usual.stepNanos(),
                List.copyOf(usual.slos()),
                usual.precision(),
                OptionalLong.empty());
        Optional<Growth.CapacityEstimate> said =
                SearchOnPaper.search(plan, service.apply(plan)).saturation();
        return said.map(one -> Answer.rightIf(one.lowPerSecond() <= truth && truth <= one.highPerSecond()))
                .orElse(Answer.Outcome.NONE);
    }
}
