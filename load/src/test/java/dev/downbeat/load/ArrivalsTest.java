package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.IntendedTimes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArrivalsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static List<Long> millis(Arrivals arrivals, long seed, Duration length) {
        List<Long> millis = new ArrayList<>();
        IntendedTimes times = arrivals.process(seed).times();
        for (long nanos = times.nextNanos(); nanos < length.toNanos(); nanos = times.nextNanos()) {
            millis.add(nanos / 1_000_000);
        }
        return millis;
    }

    @Test
    void a_rate_has_the_same_bound_as_a_number_and_as_text() {
        assertThat(Arrivals.perSecond(100_000_000).length()).isEmpty();
        assertThatThrownBy(() -> Arrivals.perSecond(100_000_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a rate must be at most 100M/s, but was 100000001/s");
        assertThatThrownBy(() -> Arrivals.every(2, Duration.ofNanos(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a rate must be at most 100M/s, but was 2/");
    }

    @Test
    void even_ones_are_evenly_spaced_from_the_very_beginning() {
        assertThat(millis(Arrivals.perSecond(4).evenly(), 1, SECOND)).containsExactly(0L, 250L, 500L, 750L);
        assertThat(millis(Arrivals.every(30, Duration.ofMinutes(1)).evenly(), 1, Duration.ofSeconds(5)))
                .containsExactly(0L, 2_000L, 4_000L);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 42, -7})
    void the_same_seed_gives_the_same_random_times_and_another_others(long seed) {
        Arrivals random = Arrivals.perSecond(1_000);
        assertThat(millis(random, seed, SECOND))
                .isEqualTo(millis(Arrivals.perSecond(1_000), seed, SECOND))
                .isNotEqualTo(millis(random, seed + 1, SECOND));
        assertThat(random.isRandom()).isTrue();
        assertThat(random.evenly().isRandom()).isFalse();
    }

    @Test
    void others_follow_after_a_time_counted_from_the_beginning_of_all_before() {
        Arrivals two = Arrivals.perSecond(2).evenly().then(SECOND, Arrivals.none());
        assertThat(millis(two, 1, Duration.ofSeconds(9))).containsExactly(0L, 500L);
        Arrivals three = two.then(Duration.ofSeconds(2), Arrivals.perSecond(1).evenly());
        assertThat(millis(three, 1, Duration.ofSeconds(4))).containsExactly(0L, 500L, 2_000L, 3_000L);
        Arrivals cut = three.then(Duration.ofMillis(500), Arrivals.perSecond(4).evenly());
        assertThat(millis(cut, 1, SECOND)).containsExactly(0L, 500L, 750L);
        assertThat(cut.toString()).isEqualTo("constant 2/s for 500 ms, then constant 4/s");
    }

    @Test
    void arrivals_that_end_are_followed_by_the_next_and_their_times_are_known() {
        Arrivals chained = Arrivals.perSecond(2)
                .evenly()
                .during(SECOND)
                .then(Arrivals.ramp(2, 2, SECOND).evenly())
                .then(Arrivals.at(Duration.ofMillis(70)));
        List<Long> millis = new ArrayList<>();
        chained.times(1).forEachRemaining((long nanos) -> millis.add(nanos / 1_000_000));
        assertThat(millis).containsExactly(0L, 500L, 1_000L, 1_500L, 2_070L);
        assertThat(chained.length()).contains(Duration.ofMillis(2_070).plusNanos(1));
        assertThat(Arrivals.perSecond(2).length()).isEmpty();
        assertThat(Arrivals.stages("1s:2")
                        .evenly()
                        .during(Duration.ofSeconds(5))
                        .length())
                .contains(Duration.ofSeconds(5));
        for (Arrivals ended : List.of(Arrivals.ramp(0, 5, SECOND), Arrivals.at(SECOND), Arrivals.stages("1s:0..5/s"))) {
            Arrivals longer = ended.during(Duration.ofSeconds(2));
            assertThat(longer.length()).as(ended.toString()).contains(Duration.ofSeconds(2));
            assertThat(longer.then(Arrivals.at(SECOND)).length())
                    .contains(Duration.ofSeconds(3).plusNanos(1));
        }
        assertThatThrownBy(() -> Arrivals.perSecond(2).then(Arrivals.none()))
                .hasMessage("then needs arrivals that end, such as during(...), but these are Poisson 2/s");
        assertThatThrownBy(() -> Arrivals.at(SECOND).evenly()).hasMessageStartingWith("evenly is for a rate, but");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 42, -7})
    void parts_at_the_same_rate_have_gaps_of_their_own(long seed) {
        List<Long> both =
                millis(Arrivals.perSecond(1_000).then(SECOND, Arrivals.perSecond(1_000)), seed, Duration.ofSeconds(2));
        List<Long> first = both.stream().filter(millis -> millis < 1_000).toList();
        List<Long> second = both.stream()
                .filter(millis -> millis >= 1_000)
                .map(millis -> millis - 1_000)
                .toList();
        assertThat(first).isNotEqualTo(second);
    }

    @Test
    void a_ramp_ends_and_times_that_are_given_come_in_order() {
        assertThat(millis(Arrivals.ramp(0, 100, SECOND).evenly(), 1, Duration.ofSeconds(9)))
                .hasSizeBetween(50, 51);
        assertThat(millis(Arrivals.at(Duration.ofMillis(70), Duration.ZERO), 1, SECOND))
                .containsExactly(0L, 70L);
    }

    @Test
    void a_log_is_replayed_from_its_earliest_stamp(@TempDir Path folder) throws IOException {
        Path log = Files.writeString(folder.resolve("access.log"), "1700000000.250 GET\n1700000000.000 GET\n");
        assertThat(millis(Arrivals.asLogged(log), 1, SECOND)).containsExactly(0L, 250L);
        Files.write(
                log, "1700000000.500 GET caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1), StandardOpenOption.APPEND);
        assertThat(millis(Arrivals.asLogged(log), 1, SECOND))
                .as("bytes that are not UTF-8")
                .containsExactly(0L, 250L, 500L);
        assertThatThrownBy(() -> Arrivals.asLogged(folder.resolve("none.log")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageEndingWith("none.log cannot be read: no such file");
    }

    @Test
    void arrivals_are_repeated_by_options_of_the_command_line() {
        Duration two = Duration.ofSeconds(2);
        Arrivals rate = Arrivals.perSecond(500);
        assertThat(rate.arguments(two, false)).containsExactly("--rate=500/s", "--duration=2s");
        assertThat(rate.arguments(two, true)).containsExactly("--sessions=500/s", "--duration=2s");
        assertThat(rate.evenly().arguments(two, false))
                .containsExactly("--rate=500/s", "--arrivals=constant", "--duration=2s");
        Arrivals stages = Arrivals.stages("1s:2", "1s:0..5/s");
        assertThat(stages.arguments(two, false)).containsExactly("--stage=1s:2/s", "--stage=1s:0/s..5/s");
        assertThat(stages.evenly().arguments(Duration.ofSeconds(3), false))
                .containsExactly("--stage=1s:2/s", "--stage=1s:0/s..5/s", "--stage=1s:0/s", "--arrivals=constant");
        assertThat(Arrivals.ramp(1, 5, two).arguments(two, false)).containsExactly("--stage=2s:1/s..5/s");
        assertThat(rate.then(SECOND, Arrivals.none()).arguments(two, false))
                .as("a pause is neither random nor even")
                .containsExactly("--stage=1s:500/s", "--stage=1s:0/s");
    }

    @Test
    void arrivals_that_no_option_repeats_have_none() {
        Duration two = Duration.ofSeconds(2);
        Arrivals rate = Arrivals.perSecond(500);
        assertThat(Arrivals.at(SECOND).arguments(two, false)).isEmpty();
        assertThat(Arrivals.stages("2s:1..5").arguments(two, false)).containsExactly("--stage=2s:1/s..5/s");
        assertThat(Arrivals.stages("2s:1..5").arguments(SECOND, false)).isEmpty();
        assertThat(Arrivals.ramp(1, 5, two).arguments(SECOND, false))
                .as("of half a ramp")
                .isEmpty();
        assertThat(Arrivals.stages("1s:2", "1s:5").arguments(two, true))
                .as("of sessions")
                .isEmpty();
        assertThat(rate.then(SECOND, rate.evenly()).arguments(two, false))
                .as("random and even")
                .isEmpty();
        assertThat(rate.evenly().then(SECOND, rate).arguments(two, false)).isEmpty();
    }

    @Test
    void offsets_of_a_file_are_replayed(@TempDir Path folder) throws IOException {
        Path offsets = Files.writeString(folder.resolve("offsets.txt"), "0.5\n20ms\n");
        assertThat(millis(Arrivals.replay(offsets), 1, SECOND)).containsExactly(20L, 500L);
        assertThatThrownBy(() -> Arrivals.replay(folder.resolve("none.txt")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageEndingWith("none.txt cannot be read: no such file");
        PrimitiveIterator.OfLong times = Arrivals.at(SECOND).times(1);
        assertThat(times.nextLong()).isEqualTo(1_000_000_000L);
        assertThat(times.hasNext()).isFalse();
        assertThatThrownBy(times::nextLong).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void a_ramp_to_the_rate_it_begins_with_is_that_rate_for_as_long() {
        Arrivals even = Arrivals.ramp(2, 2, SECOND).evenly();
        assertThat(even.length()).contains(SECOND);
        assertThat(millis(even, 1, Duration.ofSeconds(9))).containsExactly(0L, 500L);
    }

    @Test
    void values_out_of_range_are_refused_with_the_value() {
        assertThatThrownBy(() -> Arrivals.every(0, SECOND)).hasMessage("count must be at least 1, but was 0");
        assertThatThrownBy(() -> Arrivals.every(1, Duration.ZERO))
                .hasMessage("period must be above zero, but was PT0S");
        assertThatThrownBy(() -> Arrivals.ramp(-1, 5, SECOND)).hasMessage("count must be at least 0, but was -1");
        assertThatThrownBy(() -> Arrivals.ramp(0, 500_000_000, SECOND)).hasMessageContaining("at most 100,000,000/s");
        assertThatThrownBy(() -> Arrivals.at(Duration.ofMillis(-1)))
                .hasMessage("offset must not be negative, but was PT-0.001S");
        assertThatThrownBy(() -> Arrivals.none().then(Duration.ZERO, Arrivals.none()))
                .hasMessage("after must be above zero, but was PT0S");
    }

    @Test
    void rates_and_stages_are_read_as_the_command_line_reads_them() {
        assertThat(Arrivals.rate("1.5k/s").evenly()).hasToString("constant 1,500/s");
        assertThat(millis(Arrivals.stages("1s:2", "1s:0", "500ms:4/s").evenly(), 1, Duration.ofSeconds(9)))
                .containsExactly(0L, 500L, 2_000L, 2_250L);
        assertThatThrownBy(() -> Arrivals.rate("100..500/s"))
                .hasMessage("'100..500/s' is a ramp: say how long it takes, as in stages(\"1m:100..500/s\")");
        assertThatThrownBy(() -> Arrivals.rate("0")).hasMessage("a rate must be above 0, but was '0'");
        assertThatThrownBy(() -> Arrivals.rate("fast")).hasMessageStartingWith("'fast' is not a rate such as 500");
        assertThatThrownBy(Arrivals::stages).hasMessageContaining("at least one");
    }
}
