package dev.downbeat.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.Table;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The proving ground: no answer is wrong more often than it may be. The tables are in jmh-benchmarks/results. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnswersTest {
    private static final int SHARE_OF_LAWS = 8;

    /** With fewer, all would have to be wrong. */
    private static final int LEAST_RUNS = 3;

    /** By what is said; a build tries one law in eight, each answer others. An answer that no result could refute is not tried. */
    private static Stream<Arguments> answers() {
        Map<String, List<Answer>> byWhat = Answers.all()
                .filter(answer -> answer.goalPercent() < Answer.NO_GOAL)
                .collect(Collectors.groupingBy(Answer::what, LinkedHashMap::new, Collectors.toList()));
        return byWhat.entrySet().stream().flatMap(entry -> {
            int step = Replications.areWhole() || entry.getValue().size() <= SHARE_OF_LAWS ? 1 : SHARE_OF_LAWS;
            int first = Math.floorMod(entry.getKey().hashCode(), step);
            List<Answer> tried = tried(entry.getValue(), step, first);
            int runs = tried.stream().mapToInt(answer -> runs(answer, tried)).sum();
            if (mostPercent(tried, runs) >= 100) {
                assertThat(Replications.areWhole())
                        .as("%s: %d runs refute nothing", entry.getKey(), runs)
                        .isFalse();
                Table.line("answers", "| " + entry.getKey() + " | not tried: too few | " + runs + " | | | | |");
                return Stream.empty();
            }
            String laws = step == 1 ? "all laws" : "every " + step + "th law from " + first + " on";
            return Stream.of(Arguments.of(entry.getKey(), laws, tried));
        });
    }

    /** Of one law. */
    private static int runs(Answer answer, List<Answer> laws) {
        return Replications.of(answer.runs(), (LEAST_RUNS + laws.size() - 1) / laws.size());
    }

    /** The share that may be wrong by chance, where the goal is kept. */
    private static double mostPercent(List<Answer> laws, double runs) {
        double goal = laws.get(0).goalPercent();
        return goal + 3 * Math.sqrt(goal * (100 - goal) / runs);
    }

    private static List<Answer> tried(List<Answer> all, int step, int first) {
        return IntStream.range(0, all.size())
                .filter(i -> i % step == first)
                .mapToObj(all::get)
                .toList();
    }

    @ParameterizedTest(name = "{0}, {1}, seeds from 0 on")
    @MethodSource("answers")
    void an_answer_is_wrong_no_more_often_than_it_may_be(String what, String which, List<Answer> laws) {
        List<AnswerCount> counts = laws.stream()
                .map(answer -> AnswerCount.of(answer, runs(answer, laws)))
                .toList();
        counts.forEach(count -> Table.line("answers", count.line()));
        double runs = counts.stream().mapToInt(AnswerCount::runs).sum();
        double wrong = counts.stream().mapToInt(AnswerCount::wrong).sum();
        assertThat(100 * wrong / runs)
                .as(
                        "%s, %s: %s",
                        what, which, counts.stream().map(AnswerCount::line).collect(Collectors.joining("\n")))
                .isLessThanOrEqualTo(mostPercent(laws, runs));
    }
}
