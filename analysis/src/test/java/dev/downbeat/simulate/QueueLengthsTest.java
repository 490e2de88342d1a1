package dev.downbeat.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.downbeat.simulate.QueueLengths.QueueWatch;
import dev.downbeat.simulate.QueueLengths.Stretch;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lengths of a queue, by hand. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class QueueLengthsTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;

    /** Of 50 at least, three quarters of the longest, and by a quarter of its length in the last 10 s of 20. */
    @ParameterizedTest(name = "{0} of {1} at the end, {2} more a second: {3}")
    @CsvSource({
        "50, 50, 10, true",
        "49, 49, 10, false",
        "75, 100, 10, true",
        "74, 100, 10, false",
        "80, 80, 2, true",
        "80, 80, 1.99, false"
    })
    void a_queue_grows_if_it_is_long_and_longer_than_before(long atEnd, long most, double perSecond, boolean grows) {
        assertThat(new QueueLengths(List.of(), most, S, perSecond, atEnd).grows(20 * S))
                .isEqualTo(grows);
    }

    @Test
    void the_mean_length_is_that_over_time() {
        List<Stretch> stretches = List.of(new Stretch(0, 3 * S, 2, 5), new Stretch(3 * S, 4 * S, 10, 12));
        assertThat(new QueueLengths(stretches, 12, S, 0, 0).mean()).isCloseTo(4, within(1e-9));
        assertThat(new QueueLengths(List.of(), 0, 0, 0, 0).mean()).isZero();
    }

    /** Two wait for the last quarter of the first millisecond, six from there to the middle of the third. */
    @Test
    void a_watch_counts_how_many_wait_in_each_millisecond() {
        QueueWatch watch = new QueueWatch(2 * MS);
        watch.changed(MS * 3 / 4, 2);
        watch.changed(MS, 6);
        watch.changed(MS * 5 / 2, 3);
        QueueLengths lengths = watch.lengths(MS * 11 / 4);
        assertThat(lengths.stretches())
                .containsExactly(
                        new Stretch(0, MS, 0.5, 2),
                        new Stretch(MS, 2 * MS, 6, 6),
                        new Stretch(2 * MS, MS * 11 / 4, 5, 6));
        assertThat(lengths.most()).isEqualTo(6);
        assertThat(lengths.mostAtNanos()).isEqualTo(MS);
        assertThat(lengths.atEndOfLoad()).as("at 2 ms").isEqualTo(6);
    }

    /** 9, 10, 11 and 20 in the last four of its eight milliseconds: 17 / 5 a millisecond by least squares. */
    @Test
    void its_growth_is_that_of_the_second_half_of_the_load() {
        QueueWatch watch = new QueueWatch(8 * MS);
        for (int i = 1; i <= 12; i++) {
            watch.changed(i * MS, i < 4 || i >= 8 ? 0 : i == 7 ? 20 : 5 + i);
        }
        QueueLengths lengths = watch.lengths(12 * MS);
        assertThat(lengths.growthPerSecond()).isCloseTo(3_400, within(1e-6));
        assertThat(lengths.mostAtNanos()).isEqualTo(7 * MS);
        QueueWatch one = new QueueWatch(MS);
        one.changed(0, 5);
        assertThat(one.lengths(MS).growthPerSecond()).isZero();
    }

    /** After 1,024 of them each is twice as long. */
    @Test
    void a_long_run_has_longer_parts() {
        QueueWatch watch = new QueueWatch(Long.MAX_VALUE);
        watch.changed(MS, 3);
        watch.changed(3 * MS, 1);
        QueueLengths lengths = watch.lengths(1_500 * MS);
        assertThat(lengths.stretches()).hasSize(750);
        assertThat(lengths.stretches().get(0)).isEqualTo(new Stretch(0, 2 * MS, 1.5, 3));
        assertThat(lengths.stretches().get(1)).isEqualTo(new Stretch(2 * MS, 4 * MS, 2, 3));
        assertThat(lengths.stretches().get(511)).isEqualTo(new Stretch(1_022 * MS, 1_024 * MS, 1, 1));
        assertThat(lengths.stretches().get(749)).isEqualTo(new Stretch(1_498 * MS, 1_500 * MS, 1, 1));
        assertThat(watch.lengths(1_024 * MS).mean()).isCloseTo((2 * 3 + 1_497.0) / 1_500, within(1e-9));
    }
}
