package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.testing.Timing;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A short {@code downbeat prove}. */
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProveTest {
    @Test
    void the_report_shows_a_freeze_of_known_length() {
        Cli.Ending ending = Cli.run(Duration.ofMinutes(1), "prove", "-d", "6s", "-R", "200", "--freeze", "2s");
        assertThat(ending.out())
                .contains("frozen (SIGSTOP) from ")
                .contains("expected")
                .contains("a closed-loop tool")
                .containsPattern("(?m)^ *count +1,200 +1,200 ")
                .containsPattern("1,200 planned, 1,200\\s+answered, all accounted for")
                .doesNotContain("FAILED")
                .doesNotContain("out of tolerance");
        assertThat(ending.code()).isZero();
        assertThat(ending.hasStackTrace()).isFalse();
    }
}
