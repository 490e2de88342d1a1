package dev.downbeat.event;

import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.verdict.RunFixture;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ErrorSpellsTest {
    /** Seconds of 100 requests of which so many fail. */
    private static List<Incident> spells(int... failed) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < failed.length; i++) {
            run.answered(100 - failed[i], 2 * MS)
                    .failed(failed[i], "HTTP 503", MS)
                    .until((i + 1) * S);
        }
        return ErrorSpells.of(run.result());
    }

    @Test
    void a_burst_of_errors_has_a_begin_and_a_length() {
        assertThat(spells(0, 0, 0, 100, 100, 100, 0, 0, 0)).singleElement().satisfies(spell -> {
            assertThat(spell.cause()).isEqualTo(Incident.Cause.ERRORS);
            assertThat(spell.startNanos()).isEqualTo(3 * S);
            assertThat(spell.lengthNanos()).isEqualTo(3 * S);
            assertThat(spell.requestsHit()).isEqualTo(300);
            assertThat(spell.isOpen()).isFalse();
            assertThat(spell.text()).isEqualTo("at 3.0 s for 3.00 s: 300 requests failed");
        });
    }

    @Test
    void it_may_begin_and_end_within_an_interval() {
        assertThat(spells(0, 0, 0, 60, 100, 100, 30, 0, 0)).singleElement().satisfies(spell -> {
            assertThat(spell.startNanos()).isEqualTo(3_400 * MS);
            assertThat(spell.lengthNanos()).isEqualTo(2_900 * MS);
        });
    }

    @Test
    void one_that_lasts_to_the_end_is_open() {
        assertThat(spells(0, 0, 0, 100, 100, 100)).singleElement().satisfies(spell -> {
            assertThat(spell.isOpen()).isTrue();
            assertThat(spell.text()).isEqualTo("from 3.0 s to the end, at least 3.00 s: 300 requests failed");
        });
    }

    @Test
    void half_a_service_may_fail() {
        assertThat(spells(0, 1, 0, 0, 52, 48, 47, 53, 50)).singleElement().satisfies(spell -> {
            assertThat(spell.isOpen()).isTrue();
            assertThat(spell.startNanos()).isEqualTo(4 * S);
        });
    }

    @Test
    void several_bursts_are_several() {
        assertThat(spells(0, 100, 0, 0, 100, 100, 0, 100, 0)).hasSize(3);
    }

    @Test
    void errors_throughout_are_no_event() {
        assertThat(spells(12, 9, 18, 10, 8, 15, 11, 9, 13)).isEmpty();
        assertThat(spells(100, 100, 100)).isEmpty();
        assertThat(spells(0, 0, 1, 0, 3, 0)).isEmpty();
    }

    private static List<Incident> besideAStall(long fromNanos, long toNanos) {
        RunFixture run = new RunFixture();
        for (int i = 0; i < 20; i++) {
            boolean isDown = i >= 5 && i < 10;
            run.answered(isDown ? 0 : 100, 2 * MS)
                    .failed(isDown ? 100 : 0, "HTTP 503", MS)
                    .until((i + 1) * S);
        }
        Silence silence = new Silence(fromNanos, fromNanos, toNanos, toNanos);
        return Incidents.of(run.result().with(new Interruptions(true, List.of(silence), List.of(), List.of(), MS, 0)));
    }

    @Test
    void errors_of_a_stall_are_reported_as_that_stall() {
        assertThat(besideAStall(5 * S, 10 * S))
                .extracting(Incident::cause)
                .containsExactly(Incident.Cause.SERVICE_STALL);
        assertThat(besideAStall(6 * S, 6_500 * MS))
                .as("a short one among many errors explains them not")
                .extracting(Incident::cause)
                .containsExactly(Incident.Cause.ERRORS, Incident.Cause.SERVICE_STALL);
    }
}
