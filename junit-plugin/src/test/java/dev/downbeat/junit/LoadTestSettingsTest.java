package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoadTestSettingsTest {
    @SuppressWarnings("unused") // read by their annotations
    private static final class Tests {
        @LoadTest(stages = {"4m:100..500/s", "1m:500/s"})
        void staged() {}

        @LoadTest(perSecond = 200, duration = "20s", warmUp = "5s")
        void documented() {}

        @LoadTest(perSecond = 200)
        void plain() {}

        @LoadTest(perSecond = 200, duration = "20s", budget = "30s")
        void limited() {}

        @LoadTest(perSecond = 200, undecided = LoadTest.Undecided.PASSES)
        void passing() {}

        @LoadTest(perSecond = 200, undecided = LoadTest.Undecided.PASSES, failsAfter = 3)
        void counted() {}

        @LoadTest(perSecond = 200, failsAfter = 3)
        void uncounted() {}

        @LoadTest(perSecond = 200, undecided = LoadTest.Undecided.PASSES, failsAfter = 100)
        void endless() {}
    }

    private static LoadTestSettings settings(String method, String... properties) throws NoSuchMethodException {
        Properties given = new Properties();
        for (int i = 0; i < properties.length; i += 2) {
            given.setProperty(properties[i], properties[i + 1]);
        }
        return new LoadTestSettings(
                Tests.class.getDeclaredMethod(method).getAnnotation(LoadTest.class),
                BuildOverrides.of(given, new Properties()),
                method);
    }

    @Test
    void another_rate_does_not_change_for_how_long_stages_last() throws NoSuchMethodException {
        assertThat(settings("staged").duration()).isEqualTo(Duration.ofMinutes(5));
        LoadTestSettings other = settings("staged", "downbeat.rate", "50/s");
        assertThat(other.duration()).isEqualTo(Duration.ofMinutes(5));
        assertThat(other.words(other.duration())).isEqualTo("50/s for 5m");
        assertThat(settings("staged", "downbeat.rate", "50/s", "downbeat.duration", "20s")
                        .duration())
                .isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void one_test_can_say_of_undecided_results_what_a_build_can() throws NoSuchMethodException {
        assertThat(settings("plain").passesUndecided(false, 1)).isFalse();
        assertThat(settings("plain").passesUndecided(true, 1)).isTrue();
        assertThat(settings("passing").passesUndecided(false, 1_000)).isTrue();
        assertThat(settings("counted").passesUndecided(false, 3)).isTrue();
        assertThat(settings("counted").passesUndecided(false, 4)).isFalse();
        assertThat(settings("passing", "downbeat.undecided", "fails").passesUndecided(false, 1))
                .isFalse();
        assertThatThrownBy(() -> settings("uncounted"))
                .hasMessage("@LoadTest uncounted: failsAfter is for undecided = PASSES, but undecided was"
                        + " FAILS_UNLESS_MACHINE_BUSY");
        assertThatThrownBy(() -> settings("endless"))
                .hasMessage("@LoadTest endless: failsAfter must be from 0 to 99, but was 100");
    }

    @Test
    void the_usual_budget_suffices_for_a_second_run_of_double_length() throws NoSuchMethodException {
        assertThat(settings("plain").budget()).isEqualTo(Duration.ofMinutes(1));
        assertThat(settings("documented").budget()).isEqualTo(Duration.ofSeconds(70));
        assertThat(settings("documented", "downbeat.duration", "5m").budget()).isEqualTo(Duration.ofSeconds(910));
        assertThat(settings("limited").budget()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings("limited", "downbeat.budget", "2m").budget()).isEqualTo(Duration.ofMinutes(2));
    }
}
