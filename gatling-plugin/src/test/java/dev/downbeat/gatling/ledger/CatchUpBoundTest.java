package dev.downbeat.gatling.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which requests may have waited behind those that a pause of this process held up. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CatchUpBoundTest {
    private static final long MS = 1_000_000;

    private final BurstBound bursts = new BurstBound();

    @Test
    void a_request_is_late_above_a_millisecond() {
        assertThat(bursts.leaves(MS, 0, 0).atMostNanos()).isZero();
        assertThat(bursts.leaves(MS + 1, 0, 0).atMostNanos()).isEqualTo(MS + 1);
    }

    @Test
    void the_latest_of_a_burst_bounds_the_wait_of_all() {
        BurstBound.Burst first = bursts.leaves(2 * MS, 0, 0);
        assertThat(bursts.leaves(5 * MS, 1, 0)).isSameAs(first);
        assertThat(bursts.leaves(3 * MS, 2, 0)).isSameAs(first);
        assertThat(first.atMostNanos()).isEqualTo(5 * MS);
    }

    @Test
    void it_is_over_once_no_more_than_usual_are_in_flight() {
        bursts.leaves(0, 64, 0); // one more in flight is usual by a 64th of that
        BurstBound.Burst burst = bursts.leaves(5 * MS, 10, MS);
        assertThat(bursts.leaves(0, 2, 2 * MS)).isSameAs(burst);
        assertThat(bursts.leaves(0, 1, 3 * MS)).isNotSameAs(burst);
        assertThat(burst.atMostNanos()).isEqualTo(5 * MS);
    }

    @Test
    void it_is_over_after_twenty_times_its_length_at_the_latest() {
        BurstBound.Burst burst = bursts.leaves(5 * MS, 10, MS);
        assertThat(bursts.leaves(0, 10, 101 * MS)).isSameAs(burst);
        assertThat(bursts.leaves(0, 10, 101 * MS + 1).atMostNanos()).isZero();
    }

    @Test
    void what_is_in_flight_during_a_burst_is_not_usual() {
        BurstBound.Burst burst = bursts.leaves(5 * MS, 64, 0);
        for (int i = 0; i < 100; i++) {
            assertThat(bursts.leaves(0, 64, MS)).isSameAs(burst);
        }
        assertThat(bursts.leaves(5 * MS, 0, 2 * MS)).as("another late one").isSameAs(burst);
    }
}
