package dev.downbeat.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ShareIntervalTest {
    private static final int RUNS = 300;
    private static final double SHARE = 0.1;

    /** How often the interval holds the true share, where requests of a stretch share their luck to some degree. */
    private static double coverage(double spread) {
        int held = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<ShareChange.Tally> stretches = new ArrayList<>();
            for (int stretch = 0; stretch < 24; stretch++) {
                double luck = SHARE * (1 + spread * (2 * random.nextDouble() - 1));
                long part = 0;
                for (int request = 0; request < 100; request++) {
                    part += random.nextDouble() < luck ? 1 : 0;
                }
                stretches.add(new ShareChange.Tally(part, 100));
            }
            ShareInterval interval = ShareInterval.of(stretches);
            held += interval.low() <= SHARE && SHARE <= interval.high() ? 1 : 0;
        }
        return (double) held / RUNS;
    }

    @Test
    void the_interval_holds_the_share_whether_requests_fail_one_by_one_or_together() {
        assertThat(coverage(0)).isBetween(0.93, 0.99);
        assertThat(coverage(0.9)).isBetween(0.92, 0.98);
    }

    @Test
    void none_of_a_hundred_may_still_be_three_per_cent() {
        ShareInterval none = ShareInterval.of(List.of(new ShareChange.Tally(0, 100)));
        assertThat(none.low()).isZero();
        assertThat(none.high()).isCloseTo(0.0362, within(0.0001)); // 1 - 0.025^(1/100)
        assertThat(ShareInterval.of(List.of(new ShareChange.Tally(100, 100))).low())
                .isCloseTo(0.9638, within(0.0001));
    }

    @Test
    void nothing_has_no_share() {
        assertThatThrownBy(() -> ShareInterval.of(List.of()))
                .hasMessage("stretches must have at least 1 request, but had 0");
    }
}
