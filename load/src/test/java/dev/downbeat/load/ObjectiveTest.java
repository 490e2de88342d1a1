package dev.downbeat.load;

import static dev.downbeat.load.Objective.answeredAtLeast;
import static dev.downbeat.load.Objective.errors;
import static dev.downbeat.load.Objective.max;
import static dev.downbeat.load.Objective.mean;
import static dev.downbeat.load.Objective.p;
import static dev.downbeat.load.Objective.percent;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** An objective as a value is the same as the one that is text. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ObjectiveTest {
    private static final Duration LIMIT = Duration.ofMillis(50);

    @Test
    void each_form_is_the_text_of_it_and_equal_to_what_is_read_from_there() {
        List<Objective> all = new ArrayList<>(List.of(
                p(99.9).below(LIMIT),
                max().atMost(Duration.ofSeconds(2)),
                mean().below(LIMIT),
                errors().below(percent(0.1)),
                errors().below(percent(1.0 / 3)),
                p(99.99999999999).below(LIMIT),
                errors().atMost(percent(0)),
                answeredAtLeast(percent(99)),
                p(50).below(LIMIT).of("place order")));
        assertThat(all)
                .extracting(Objective::toString)
                .containsExactly(
                        "p99.9<50ms",
                        "max<=2s",
                        "mean<50ms",
                        "errors<0.1%",
                        "errors<0.3333333333333333%",
                        "p99.99999999999<50ms",
                        "errors<=0%",
                        "rate>=99%",
                        "place order: p50<50ms");
        all.add(p(Math.nextUp(1)).below(LIMIT));
        assertThat(all)
                .allSatisfy(one -> assertThat(Objective.parse(one.toString()))
                        .isEqualTo(one)
                        .hasSameHashCodeAs(one));
    }

    @Test
    void values_out_of_range_are_refused_with_the_value() {
        assertThatThrownBy(() -> p(0)).hasMessage("percentile must be from 1 to 100, but was 0.0");
        assertThatThrownBy(() -> p(101)).hasMessage("percentile must be from 1 to 100, but was 101.0");
        assertThatThrownBy(() -> p(0.99)).hasMessage("percentile must be from 1 to 100, but was 0.99: write p(99)");
        assertThatThrownBy(() -> p(0.999)).hasMessage("percentile must be from 1 to 100, but was 0.999: write p(99.9)");
        assertThatThrownBy(() -> p(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> mean().below(Duration.ZERO)).hasMessage("limit must be above zero, but was PT0S");
        assertThatThrownBy(() -> errors().below(percent(0)))
                .hasMessage("objective \"errors<0%\" can never be met: write errors<=0%");
        assertThatThrownBy(() -> percent(101)).hasMessage("a percentage must be from 0 to 100, but was 101.0");
        assertThatThrownBy(() -> p(99).below(LIMIT).of("a").of("b"))
                .hasMessage("an objective has one name, but was 'a' and then 'b'");
        assertThatThrownBy(() -> p(99).below(LIMIT).of(" ")).hasMessage("the name of an objective must not be blank");
    }
}
