package dev.downbeat.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JvmWarmUpDetectorTest {
    private static final long SECOND = 1_000_000_000;

    private final JvmWarmUpDetector warmth = new JvmWarmUpDetector(0);
    private final long classes = ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount();
    private final long compiled = ManagementFactory.getCompilationMXBean().getTotalCompilationTime();

    private boolean sample(int second, long classesMore, long compiledMore) {
        return warmth.sample(second * SECOND, classes + classesMore, compiled + compiledMore);
    }

    @Test
    void a_start_lasts_while_classes_are_loaded_or_compiled() {
        assertThat(sample(1, 4_000, 1_500)).isFalse();
        assertThat(sample(2, 4_010, 2_500)).isFalse();
        assertThat(sample(3, 4_500, 2_510)).isFalse();
        assertThat(sample(4, 4_510, 2_520)).isTrue();
        assertThat(warmth.coldNanos()).isEqualTo(3 * SECOND);
    }

    @Test
    void compilation_in_mid_run_is_not_a_start() {
        assertThat(sample(1, 4_000, 1_500)).isFalse();
        assertThat(sample(2, 4_000, 1_510)).isTrue();
        assertThat(sample(3, 4_000, 2_500)).isFalse();
        assertThat(warmth.coldNanos()).isEqualTo(SECOND);
    }

    @ParameterizedTest(name = "{0} classes and {1} ms of compilation in a second")
    @CsvSource({"50, 0, true", "51, 0, false", "0, 200, true", "0, 201, false"})
    void a_warm_JVM_loads_up_to_50_classes_a_second_and_compiles_for_up_to_a_fifth_of_it(
            long classesMore, long compiledMore, boolean isWarm) {
        sample(1, 0, 0);
        assertThat(sample(2, classesMore, compiledMore)).isEqualTo(isWarm);
    }
}
