package dev.downbeat.verdict.caveat;

import static dev.downbeat.verdict.Judged.codes;
import static dev.downbeat.verdict.Judged.only;
import static dev.downbeat.verdict.Judged.quiet;
import static dev.downbeat.verdict.Judged.verdict;
import static dev.downbeat.verdict.RunFixture.MS;
import static dev.downbeat.verdict.RunFixture.S;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interruptions;
import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.RunFixture;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.RunVerdict.Soundness;
import dev.downbeat.verdict.caveat.Caveat.OwnDelay;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OwnDelayTest {
    @Test
    void lateness_that_is_a_large_part_of_the_response_time_is_Downbeats() {
        RunFixture run = new RunFixture().answered(48_000, 2 * MS).answered(2_000, S, 0, 2 * MS);
        OwnDelay.GeneratorLate late = only(OwnDelay.GeneratorLate.class, verdict(run));
        assertThat(late.isDoubt()).isTrue();
        assertThat(late.percentile()).isIn(99.0, 99.9);
        assertThat(late.text()).contains("includes up to 1.00 s of Downbeat's own delay", "is at least 2.00 ms");
    }

    @Test
    void the_percentile_with_the_largest_part_is_named() {
        // p90: 5 of 10 ms; p99: 5 ms of 1 s
        RunFixture run = new RunFixture()
                .answered(25_000, MS)
                .answered(24_000, 5 * MS, 0, 5 * MS)
                .answered(1_000, 5 * MS, 0, S);
        assertThat(only(OwnDelay.GeneratorLate.class, verdict(run)).percentile())
                .isEqualTo(90);
    }

    @Test
    void lateness_below_a_millisecond_is_a_note_and_below_a_tenth_no_matter() {
        RunVerdict little = verdict(new RunFixture().answered(50_000, 400_000, 0, 600_000));
        assertThat(codes(little)).containsExactly("generator_late");
        assertThat(little.measurement()).isEqualTo(RunVerdict.Soundness.PARTLY_SOUND);
        assertThat(little.measurementInWords()).isEqualTo("partly Downbeat's delay");
        assertThat(little.hasSoundTimes()).isTrue();
        RunVerdict all = verdict(new RunFixture().answered(50_000, 900_000, 0, 1));
        assertThat(all.measurement()).isEqualTo(RunVerdict.Soundness.UNSOUND);
        assertThat(codes(verdict(new RunFixture().answered(50_000, 15_000, 0, 1))))
                .isEmpty();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 5 * MS, 0, 100 * MS))))
                .isEmpty();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 12 * MS, 0, 100 * MS))))
                .containsExactly("generator_late");
    }

    @Test
    void a_process_that_is_busy_while_no_slot_is_free_is_too_slow_itself() {
        RunVerdict verdict = verdict(new RunFixture().answered(50_000, 2 * MS).full(2 * S, 19 * S / 10));
        assertThat(only(OwnDelay.ClientBusy.class, verdict).text())
                .contains("95", "response times include its own delay");
        assertThat(only(OwnDelay.ClientBusy.class, verdict).isDoubt()).isTrue();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 2 * MS).full(2 * S, S))))
                .isEmpty();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 2 * MS).full(2 * S, -1))))
                .isEmpty();
        assertThat(codes(verdict(new RunFixture().answered(50_000, 2 * MS).full(S / 20, S / 20))))
                .isEmpty();
    }

    @Test
    void lateness_where_there_are_too_few_requests_is_not_judged() {
        assertThat(codes(verdict(new RunFixture().answered(98, MS).answered(2, S, 0, MS))))
                .doesNotContain("generator_late");
    }

    @Test
    void a_long_standstill_of_this_process_is_blamed_on_this_process() {
        RunFixture run = new RunFixture().answered(48_000, 2 * MS).answered(2_000, 2 * S, 0, 2 * MS);
        RunVerdict verdict = verdict(run.health(RunFixture.stoodStillFor(2 * S)));
        OwnDelay.HiccupDuringRun hiccup = only(OwnDelay.HiccupDuringRun.class, verdict);
        assertThat(hiccup.isDoubt()).isTrue();
        assertThat(hiccup.text())
                .isEqualTo(
                        "Downbeat itself was paused for 2.00 s (ending at 5.0 s): part of the tail is Downbeat's, not"
                                + " the service's");
    }

    @Test
    void a_pause_small_compared_with_the_tail_is_a_note() {
        RunFixture slow = new RunFixture().answered(50_000, 5 * S);
        RunVerdict verdict = verdict(slow.health(RunFixture.stoodStillFor(200 * MS)));
        assertThat(only(OwnDelay.HiccupDuringRun.class, verdict).isDoubt()).isFalse();
        assertThat(verdict.measurement()).isEqualTo(Soundness.SOUND);
        RunVerdict little = verdict(quiet().health(RunFixture.stoodStillFor(20 * MS)));
        assertThat(only(OwnDelay.HiccupDuringRun.class, little).isDoubt()).isFalse();
        assertThat(codes(verdict(quiet().health(RunFixture.stoodStillFor(19 * MS)))))
                .isEmpty();
    }

    @Test
    void a_standstill_of_a_tenth_of_a_second_is_a_doubt_where_times_are_short() {
        RunFixture run = new RunFixture().answered(49_999, 2 * MS).answered(1, 100 * MS);
        RunVerdict verdict = verdict(run.health(RunFixture.stoodStillFor(100 * MS)));
        assertThat(only(OwnDelay.HiccupDuringRun.class, verdict).isDoubt()).isTrue();
    }

    @Test
    void a_standstill_that_met_no_request_is_a_note_and_does_not_hide_one_that_did() {
        RunResult run = new RunFixture().answered(20, 150 * MS).result();
        Pause between = new Pause(5 * S, 6 * S);
        Pause within = new Pause(9 * S, 9 * S + 120 * MS);
        assertThat(told(run, between).isDoubt()).isFalse();
        assertThat(told(run, between).largestNanos()).isEqualTo(S);
        assertThat(told(run, between, within).isDoubt()).isTrue();
        assertThat(told(run, between, within).largestNanos()).isEqualTo(120 * MS);
    }

    private static OwnDelay.HiccupDuringRun told(RunResult run, Pause... pauses) {
        return only(
                OwnDelay.HiccupDuringRun.class,
                RunVerdict.of(
                        run.with(new Interruptions(true, List.of(), List.of(), List.of(pauses), 0, 0)), List.of()));
    }
}
