package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.wait.Pacing;
import java.io.IOException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PollingTest {
    private long nowAt;

    /** Such time is the service's: no more requests than connections can be sent. */
    @Test
    void idle_time_is_counted_while_a_due_request_waits_for_the_end_of_another() throws IOException {
        try (Polling polling = new Polling(() -> nowAt += 1_000, Pacing.SPIN)) {
            polling.until(20_000, true, false);
            assertThat(polling.idleWhenFullNanos()).isZero();
            long beganAt = nowAt;
            polling.until(50_000, true, true);
            long idle = polling.idleWhenFullNanos();
            assertThat(idle).isEqualTo(nowAt - beganAt - 1_000).isGreaterThanOrEqualTo(50_000 - beganAt - 1_000);
            polling.until(90_000, true, false);
            assertThat(polling.idleWhenFullNanos()).isEqualTo(idle);
        }
    }

    /** The clock has moved on by 1,000 with each look: the last look before the end at 20,000 was at 19,000. */
    @Test
    void an_end_may_have_lain_unread_since_the_last_look_or_the_start() throws IOException {
        try (Polling polling = new Polling(() -> nowAt += 1_000, Pacing.SPIN)) {
            polling.until(20_000, true, false);
            Exchange before = new Exchange(0);
            polling.read(before, 30_000);
            assertThat(before.unreadNanos).isEqualTo(11_000);
            assertThat(before.readLateNanos).isEqualTo(11_000);
            Exchange since = new Exchange(0);
            since.startedAt = 25_000;
            polling.read(since, 30_000);
            assertThat(since.unreadNanos).isEqualTo(5_000);
            assertThat(since.readLateNanos).isEqualTo(5_000);
        }
    }
}
