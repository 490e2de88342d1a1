package dev.downbeat.answers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.stats.Table;
import dev.downbeat.testing.Replications;
import dev.downbeat.testing.Simulated;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The proving ground: no answer is wrong more often than it may be. The tables are in jmh-benchmarks/results. */
@Simulated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnswersTest {
    private static Stream<Answer> answers() {
        return Answers.all();
    }

    @ParameterizedTest(name = "{0}, seeds from 0 on")
    @MethodSource("answers")
    void an_answer_is_wrong_no_more_often_than_it_may_be(Answer answer) {
        AnswerCount count = AnswerCount.of(answer, Replications.of(answer.runs(), 2));
        Table.line("answers", count.line());
        assertThat(count.wrongPercent()).as(count.line()).isLessThanOrEqualTo(answer.goalPercent() + count.slack());
    }
}
