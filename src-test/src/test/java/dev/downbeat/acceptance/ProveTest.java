package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The self-proof, short. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProveTest {
    /** It is right of the proof to fail on a machine that is too busy, so it may look for a quiet moment. */
    private static final int ATTEMPTS = 3;

    private static Cli.Ending prove() {
        Cli.Ending ending = null;
        for (int attempt = 0; attempt < ATTEMPTS && (ending == null || ending.code() == 98); attempt++) {
            ending = Cli.run(Duration.ofMinutes(1), "prove", "-d", "6s", "-R", "200", "--freeze", "2s");
        }
        return ending;
    }

    @Test
    void the_report_shows_a_freeze_of_known_length() {
        Cli.Ending ending = prove();
        assertThat(ending.out())
                .contains("frozen (SIGSTOP) from ")
                .contains("must show")
                .contains("a stopwatch that waits")
                .containsPattern("(?m)^ *count +1,200 +1,200 ")
                .contains("1,200 planned, 1,200 answered, all accounted for")
                .doesNotContain("NOT PROVED")
                .doesNotContain("WRONG");
        assertThat(ending.code()).isZero();
        assertThat(ending.hasStackTrace()).isFalse();
    }
}
