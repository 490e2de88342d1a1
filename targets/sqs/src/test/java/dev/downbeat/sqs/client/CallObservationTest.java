package dev.downbeat.sqs.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CallObservationTest {
    private final List<Long> told = new ArrayList<>();
    private final CallObservation observation = new CallObservation(told::add);

    /** An error of the server may have had an effect. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"399, false", "400, true", "499, true", "500, false"})
    void a_status_from_400_to_499_is_a_refusal(int status, boolean isRefused) {
        assertThat(observation.isRefusedEachTime()).as("nothing was attempted").isFalse();
        observation.attempted();
        assertThat(observation.isRefusedEachTime()).isFalse();
        observation.answered(status);
        assertThat(observation.isRefusedEachTime()).isEqualTo(isRefused);
        observation.attempted();
        assertThat(observation.isRefusedEachTime())
                .as("the second has no answer")
                .isFalse();
        observation.answered(400);
        assertThat(observation.isRefusedEachTime()).isEqualTo(isRefused);
    }

    @Test
    void waits_add_up_and_its_start_is_passed_on() {
        observation.started(17);
        observation.waited(5);
        observation.waited(-3);
        observation.waited(6);
        assertThat(observation.waitNanos()).isEqualTo(11);
        assertThat(told).containsExactly(17L);
    }

    @Test
    void an_attempt_is_aborted_also_if_it_starts_later() {
        observation.abort();
        observation.abortBy(() -> told.add(1L));
        assertThat(told).containsExactly(1L);
        CallObservation running = new CallObservation();
        running.abortBy(() -> told.add(2L));
        assertThat(told).hasSize(1);
        running.abort();
        assertThat(told).containsExactly(1L, 2L);
    }
}
