package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PartTimesTest {
    @Test
    void components_are_listed_as_they_occurred_after_those_that_were_named_first() {
        PartTimes times = new PartTimes(List.of("sql", "render"));
        times.add("parse", 5);
        times.add(1, 10);
        times.add(1, 20);
        times.add(1, 60);
        times.add(1, 100);
        assertThat(times.all())
                .containsExactly(
                        new PartTimes.PartSummary("render", 4, 47, 20, 100, 100),
                        new PartTimes.PartSummary("parse", 1, 5, 5, 5, 5));
        times.add("sql", 7);
        times.add(0, 9);
        assertThat(times.all().get(0)).isEqualTo(new PartTimes.PartSummary("sql", 2, 8, 7, 9, 9));
    }

    @Test
    void times_out_of_range_count_at_its_ends() {
        PartTimes times = new PartTimes();
        times.add("clock", -1);
        assertThat(times.all().get(0).maxNanos()).isZero();
        times.add("clock", Long.MAX_VALUE);
        long hourNanos = 3_600_000_000_000L;
        assertThat(times.all().get(0).maxNanos()).isBetween(hourNanos, hourNanos + hourNanos / 100);
        assertThat(times.all().get(0).count()).isEqualTo(2);
    }

    @Test
    void names_without_end_fill_no_memory() {
        PartTimes times = new PartTimes();
        for (int i = 0; i < 40; i++) {
            times.add("order " + i, 1);
        }
        times.add("order 3", 1);
        assertThat(times.all()).hasSize(32);
        assertThat(times.all().get(3).count()).isEqualTo(2);
    }

    @Test
    void the_times_of_lanes_are_added() {
        PartTimes all = new PartTimes(List.of("sql"));
        PartTimes lane = new PartTimes(List.of("render", "sql"));
        lane.add("sql", 3);
        lane.add("parse", 5);
        all.add(lane);
        all.add(lane);
        assertThat(all.all())
                .containsExactly(
                        new PartTimes.PartSummary("sql", 2, 3, 3, 3, 3),
                        new PartTimes.PartSummary("parse", 2, 5, 5, 5, 5));
    }

    @Test
    void threads_count_together() throws InterruptedException {
        PartTimes times = new PartTimes();
        Thread[] threads = new Thread[20];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> times.add("sql", 3));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(times.all()).containsExactly(new PartTimes.PartSummary("sql", 20, 3, 3, 3, 3));
    }
}
