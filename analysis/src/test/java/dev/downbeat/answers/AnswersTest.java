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

    /** By what is said; a build tries one law in eight, each answer others. */
    private static Stream<Arguments> answers() {
        Map<String, List<Answer>> byWhat = Answers.all()
                .filter(answer -> answer.goalPercent() < Answer.NO_GOAL)
                .collect(Collectors.groupingBy(Answer::what, LinkedHashMap::new, Collectors.toList()));
        return byWhat.entrySet().stream().map(entry -> {
            int step = Replications.areWhole() || entry.getValue().size() <= SHARE_OF_LAWS ? 1 : SHARE_OF_LAWS;
            int first = Math.floorMod(entry.getKey().hashCode(), step);
            String laws = step == 1 ? "all laws" : "every " + step + "th law from " + first + " on";
            return Arguments.of(entry.getKey(), laws, tried(entry.getValue(), step, first));
        });
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
                .map(answer -> AnswerCount.of(answer, Replications.of(answer.runs())))
                .toList();
        counts.forEach(count -> Table.line("answers", count.line()));
        double runs = counts.stream().mapToInt(AnswerCount::runs).sum();
        double wrong = counts.stream().mapToInt(AnswerCount::wrong).sum();
        double goal = laws.get(0).goalPercent();
        assertThat(100 * wrong / runs)
                .as(
                        "%s, %s: %s",
                        what, which, counts.stream().map(AnswerCount::line).collect(Collectors.joining("\n")))
                .isLessThanOrEqualTo(goal + 3 * Math.sqrt(goal * (100 - goal) / runs));
    }
}
