package dev.downbeat.stats.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.session.RecordedTimeline.SessionReplay;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SessionsTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;

    @Test
    void a_page_of_200_requests_nearly_always_meets_the_95th_percentile() {
        assertThat(1 - Sessions.shareThatMeets(95, 200)).isCloseTo(0.00003505, withinPercentage(0.01));
        assertThat(1 - Sessions.shareThatMeets(99, 200)).isCloseTo(0.13398, withinPercentage(0.001));
        assertThat(Sessions.shareThatMeets(99.9, 200)).isCloseTo(0.18135, withinPercentage(0.01));
    }

    @Test
    void what_95_of_100_sessions_stay_below_is_far_out() {
        assertThat(Sessions.percentileThatAllStayBelow(0.95, 200)).isCloseTo(99.97436, withinPercentage(1e-5));
        assertThat(Sessions.percentileThatAllStayBelow(0.99, 200)).isCloseTo(99.994975, withinPercentage(1e-6));
        assertThat(Sessions.percentileThatAllStayBelow(0.5, 200)).isCloseTo(99.6540, withinPercentage(1e-4));
    }

    @Test
    void a_replay_knows_that_slow_requests_come_together() {
        long[] intended = new long[20_000];
        long[] response = new long[20_000];
        for (int i = 0; i < intended.length; i++) {
            intended[i] = i * 10L * MS;
            response[i] = Math.max(MS, i < 10_000 ? MS : 200 * S - intended[i] + MS);
        }
        Distribution slowest = new SessionReplay(intended, response).slowest(5, 5 * S);
        double share = (double) slowest.countAbove(50 * S) / slowest.count();
        assertThat(share).isCloseTo(0.389, withinPercentage(0.5));
        // one response in four is above 50 s
        assertThat(Sessions.shareThatMeets(75, 5)).isGreaterThan(0.76);
    }

    @Test
    void a_session_meets_what_the_last_request_before_it_met() {
        SessionReplay replay = new SessionReplay(new long[] {0, S, 3 * S}, new long[] {MS, 2 * MS, 3 * MS});
        assertThat(replay.slowest(2, 2 * S)).isEqualTo(Distribution.of(new long[] {2 * MS, 3 * MS}, new long[] {1, 1}));
    }

    @Test
    void a_session_longer_than_the_run_cannot_be_replayed() {
        SessionReplay replay = new SessionReplay(new long[] {0, S}, new long[] {MS, 2 * MS});
        assertThat(replay.slowest(3, S).isEmpty()).isTrue();
        assertThat(replay.slowest(2, S).count()).isEqualTo(1);
    }

    @Test
    void impossible_sessions_are_refused() {
        assertThatThrownBy(() -> Sessions.shareThatMeets(101, 1))
                .hasMessage("percentile must be from 0 to 100, but was 101.0");
        assertThatThrownBy(() -> Sessions.shareThatMeets(99, 0)).hasMessage("requests must be at least 1, but was 0");
        assertThatThrownBy(() -> Sessions.percentileThatAllStayBelow(2, 1))
                .hasMessage("share must be from 0 to 1, but was 2.0");
        assertThatThrownBy(() -> new SessionReplay(new long[0], new long[0])).hasMessageContaining("at least 1");
    }
}
