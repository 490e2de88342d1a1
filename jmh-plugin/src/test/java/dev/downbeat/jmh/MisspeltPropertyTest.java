package dev.downbeat.jmh;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Alone, since every run of the JVM would be refused meanwhile. */
@Isolated
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MisspeltPropertyTest {
    @BeforeEach
    void misspell() {
        System.setProperty("downbeat.warmup", "5s");
    }

    @AfterEach
    void restore() {
        System.clearProperty("downbeat.warmup");
    }

    @Test
    void it_is_refused_before_anything_is_measured() {
        assertThatIllegalArgumentException()
                .isThrownBy(new PacedSchedule()::check)
                .withMessage("-Ddownbeat.warmup: there is no such property; the nearest is -Ddownbeat.warmUp");
    }
}
