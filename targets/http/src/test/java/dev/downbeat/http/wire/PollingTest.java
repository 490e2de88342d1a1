package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

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
}
