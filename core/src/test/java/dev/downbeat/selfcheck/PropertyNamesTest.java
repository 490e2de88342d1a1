package dev.downbeat.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PropertyNamesTest {
    private static Properties with(String name) {
        Properties system = new Properties();
        system.setProperty(name, "x");
        return system;
    }

    @ParameterizedTest
    @CsvSource({"objectvies, objectives", "warmup, warmUp", "durations, duration", "basline, baseline"})
    void an_unknown_one_is_refused_with_the_nearest(String wrong, String nearest) {
        assertThat(PropertyNames.refusal(with("downbeat." + wrong), PropertyNames.all()))
                .hasValue("-Ddownbeat." + wrong + ": there is no such property; the nearest is -Ddownbeat." + nearest);
    }

    @Test
    void one_unlike_any_other_is_refused_with_the_names() {
        assertThat(PropertyNames.refusal(with("downbeat.x"), List.of("rate", "pace")))
                .hasValue("-Ddownbeat.x: there is no such property; the names are rate, pace");
    }

    @ParameterizedTest
    @ValueSource(strings = {"downbeat.rate", "downbeat.objectives", "downbeat.recorder.interval", "other.rat"})
    void those_of_every_door_and_of_others_are_accepted(String name) {
        assertThat(PropertyNames.refusal(with(name), PropertyNames.ofJUnit())).isEmpty();
    }

    @Test
    void the_nearest_is_one_of_the_door_that_refuses() {
        assertThat(PropertyNames.refusal(with("downbeat.objective"), PropertyNames.ofJUnit())
                        .orElseThrow())
                .doesNotContain("-Ddownbeat.objectives");
    }
}
