package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.time.DurationText;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProveCommandTest {
    @ParameterizedTest
    @CsvSource({"2000, 600 ms", "4000, 1.3 s", "9000, 3 s"})
    void a_freeze_of_a_third_of_the_run_has_a_short_length(long millis, String told) {
        Duration third = ProveCommand.third(Duration.ofMillis(millis));
        assertThat(DurationText.format(third.toNanos())).isEqualTo(told);
    }
}
