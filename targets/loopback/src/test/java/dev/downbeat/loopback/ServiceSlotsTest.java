package dev.downbeat.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.time.Stall;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServiceSlotsTest {
    @Test
    void without_a_limit_every_request_starts_at_once() {
        ServiceSlots slots = new ServiceSlots(0, List.of());

        assertThat(slots.admit(100, 50)).isEqualTo(150);
        assertThat(slots.admit(100, 50)).isEqualTo(150);
    }

    @Test
    void one_slot_serves_one_after_the_other() {
        ServiceSlots slots = new ServiceSlots(1, List.of());

        assertThat(slots.admit(100, 50)).isEqualTo(150);
        assertThat(slots.admit(110, 10)).isEqualTo(160);
        assertThat(slots.admit(500, 10)).isEqualTo(510);
    }

    @Test
    void stalls_count_from_the_first_request() {
        ServiceSlots slots = new ServiceSlots(0, List.of(new Stall(10, 100, 0)));

        assertThat(slots.admit(1_000, 0)).isEqualTo(1_000);
        assertThat(slots.admit(1_010, 0)).isEqualTo(1_110);
        assertThat(slots.admit(1_020, 500)).isEqualTo(1_520);
    }

    @Test
    void a_stalled_request_keeps_its_slot() {
        ServiceSlots slots = new ServiceSlots(1, List.of(new Stall(10, 100, 0)));

        assertThat(slots.admit(0, 20)).isEqualTo(110);
        assertThat(slots.admit(1, 20)).isEqualTo(130);
    }

    @Test
    void instants_may_be_anything_even_where_they_overflow() {
        ServiceSlots slots = new ServiceSlots(1, List.of(new Stall(10, 100, 0)));
        long origin = Long.MAX_VALUE - 5;

        assertThat(slots.admit(origin, 20) - origin).isEqualTo(110);
        assertThat(slots.admit(origin, 20) - origin).isEqualTo(130);
    }

    /** The queue of Kiefer and Wolfowitz (1955): keep the work left in each slot, sorted, and give each to the least. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.loopback.Seeds#fifty")
    void the_queue_is_that_of_kiefer_and_wolfowitz(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int limit = random.nextInt(1, 9);
        ServiceSlots slots = new ServiceSlots(limit, List.of());
        List<Long> workLeft = new ArrayList<>(Collections.nCopies(limit, 0L));
        long now = random.nextLong();
        for (int i = 0; i < 500; i++) {
            long gap = random.nextInt(100);
            long service = random.nextInt(100 * limit);
            now += gap;
            workLeft.replaceAll(work -> Math.max(0, work - gap));
            long response = workLeft.get(0) + service;
            workLeft.set(0, response);
            workLeft.sort(null);

            assertThat(slots.admit(now, service) - now).isEqualTo(response);
        }
    }
}
