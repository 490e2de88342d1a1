package dev.downbeat.report.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Part;
import dev.downbeat.record.PartNames;
import dev.downbeat.report.data.TailBands.Band;
import dev.downbeat.verdict.RunFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TailBandsTest {
    @Test
    void the_parts_of_a_band_are_named_from_a_hundredth_on_the_largest_first() {
        assertThat(new Band(
                                "",
                                1,
                                Map.of(
                                        Part.READING,
                                        10L,
                                        Part.FIRST_BYTE,
                                        961L,
                                        Part.LATENESS,
                                        9L,
                                        Part.BACKLOG_WAIT,
                                        20L))
                        .shares(PartNames.HTTP))
                .isEqualTo("96 % wait for the first byte, 2 % wait for a connection, 1 % reading the response");
        assertThat(new Band("", 1, Map.of(Part.BACKLOG_WAIT, 20L)).shares(new PartNames(false, false, false)))
                .isEqualTo("100 % wait to be sent");
        assertThat(new Band("", 1, Map.of(Part.HANDSHAKE, 20L)).shares(new PartNames(true, true, false)))
                .isEqualTo("100 % login");
        assertThat(new Band("", 1, Map.of(Part.HANDSHAKE, 20L)).shares(PartNames.HTTP))
                .isEqualTo("100 % TLS handshake");
        assertThat(new Band("", 0, Map.of()).shares(PartNames.HTTP)).isEmpty();
        assertThat(new Band("", 1, Map.of(Part.READING, 0L)).shares(PartNames.HTTP))
                .isEmpty();
    }

    private static List<String> names(int answers) {
        return TailBands.of(new RunFixture()
                        .answered(answers, RunFixture.MS)
                        .result()
                        .recording())
                .stream()
                .map(Band::name)
                .toList();
    }

    /** A band begins at a percentile that five requests lie beyond. */
    @Test
    void a_band_has_enough_requests() {
        assertThat(names(5_000)).containsExactly("to p50", "p50 to p90", "p90 to p99", "p99 to p99.9", "beyond p99.9");
        assertThat(names(4_999)).hasSize(4);
        assertThat(names(500)).hasSize(4);
        assertThat(names(499)).containsExactly("to p50", "p50 to p90", "p90 to p99");
        assertThat(names(49)).containsExactly("to p50", "p50 to p90");
    }

    /** 900 take 2 ms, and 100 wait for 30 ms and take 10 ms. */
    @Test
    void a_band_has_the_means_of_its_requests() {
        RunFixture run = new RunFixture()
                .answered(900, 0, 0, 2 * RunFixture.MS)
                .answered(100, 0, 30 * RunFixture.MS, 10 * RunFixture.MS);
        Band tail = TailBands.beyond(run.result().recording(), 95);
        assertThat(tail.count()).isEqualTo(100);
        assertThat(tail.meansNanos().getOrDefault(Part.BACKLOG_WAIT, 0L) / 1e6).isBetween(29.9, 30.1);
        assertThat(tail.meansNanos().getOrDefault(Part.FIRST_BYTE, 0L) / 1e6).isBetween(9.9, 10.1);
    }
}
