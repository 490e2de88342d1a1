package dev.downbeat.capacity;

import dev.downbeat.answers.Answer;
import dev.downbeat.stats.Growth;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What `sweep` says that a queue with one server can do. */
public final class CapacityAnswers {
    private CapacityAnswers() {}

    /** One for each length of a step. */
    public static Stream<Answer> all() {
        return IntStream.of(6, 12)
                .mapToObj(seconds -> new Answer(
                        "a capacity, 95 %",
                        "M/M/1, steps of " + seconds + " s", 5, 200, seed -> capacity(seed, seconds)));
    }

    private static Answer.Outcome capacity(long seed, int seconds) {
        SearchPlan usual = SearchOnPaper.plan(100 + 7 * (seed % 11), 5_000, seconds, "p90<20ms");
        SearchPlan plan = new SearchPlan(
                usual.fromPerSecond(),
                usual.toPerSecond(),
                usual.stepNanos(),
                18 * usual.stepNanos(),
                List.copyOf(usual.slos()),
                usual.precision(),
                OptionalLong.empty());
        Optional<Growth.Capacity> said =
                SearchOnPaper.search(plan, SearchOnPaper.queue(seed, plan)).saturation();
        return said.map(one -> Answer.rightIf(
                        one.lowPerSecond() <= SearchOnPaper.MU && SearchOnPaper.MU <= one.highPerSecond()))
                .orElse(Answer.Outcome.NONE);
    }
}
