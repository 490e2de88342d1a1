package dev.downbeat.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.selfcheck.CpuContentionMonitor.CoreTicks;
import dev.downbeat.selfcheck.CpuContentionMonitor.CpuContention;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class CpuContentionTest {
    private static final long MS = 1_000_000;
    private static final long S = 1_000 * MS;

    /** Four calls a second for 20 s. */
    private static CpuContention crowding(double others, long controlNanos) {
        return new CpuContention(
                others,
                OptionalDouble.empty(),
                IntStream.range(0, 80)
                        .mapToObj(i -> new CpuContention.Control(i * 250 * MS, controlNanos))
                        .toList());
    }

    @Test
    void it_is_described_in_words() {
        assertThat(crowding(0.61, 48 * MS).text())
                .isEqualTo("other processes used 61 % of the CPU; a 5 ms control call took 48 ms at p99");
    }

    @Test
    void a_wait_that_is_near_what_the_control_met_is_explained_and_a_stall_is_not() {
        CpuContention crowded = crowding(0.61, 48 * MS);
        assertThat(crowded.explains(391 * MS - 50 * MS)).isTrue();
        assertThat(crowded.explains(S)).isFalse();
        assertThat(crowded.explains(4 * S, 300 * MS)).isTrue();
        assertThat(crowded.explains(4 * S, S)).isFalse();
    }

    @Test
    void ten_waits_as_long_as_that_of_a_control_are_explained() {
        CpuContention crowded = crowding(0.61, 48 * MS);
        assertThat(crowded.explainedNanos()).isEqualTo(430 * MS);
        assertThat(crowded.explains(430 * MS)).isTrue();
        assertThat(crowded.explains(430 * MS + 1)).isFalse();
        assertThat(crowding(0.2, 48 * MS).explainedNanos()).isZero();
        assertThat(crowded.since(5 * S).controls()).hasSize(60);
        assertThat(crowded.since(5 * S + 1).controls()).hasSize(59);
        assertThat(new CpuContention(1, OptionalDouble.empty(), List.of()).controlP99Nanos())
                .isZero();
        List<CpuContention.Control> hundred = IntStream.rangeClosed(1, 100)
                .mapToObj(i -> new CpuContention.Control(-i, i))
                .toList();
        assertThat(new CpuContention(1, OptionalDouble.empty(), hundred).controlP99Nanos())
                .isEqualTo(99);
        assertThat(new CpuContention(0.5, OptionalDouble.of(0.3), hundred).text())
                .endsWith("at p99; tasks waited for a CPU 30 % of the time");
    }

    @Test
    void two_controls_on_time_within_a_stall_contradict_and_one_at_its_end_is_not_within() {
        CpuContention crowded = crowding(0.61, 48 * MS); // each late by 43 ms, so 430 ms are explained
        assertThat(crowded.explains(15 * S, 250 * MS)).as("one control").isTrue();
        List<CpuContention.Control> controls = IntStream.range(0, 80)
                .mapToObj(i -> new CpuContention.Control(i * 250 * MS, i == 60 || i == 61 ? 5 * MS : 48 * MS))
                .toList();
        CpuContention onTime = new CpuContention(0.61, OptionalDouble.empty(), controls);
        assertThat(onTime.explains(15 * S, 250 * MS)).isTrue();
        assertThat(onTime.explains(15 * S, 250 * MS + 1)).isFalse();
        assertThat(onTime.explains(15 * S + 1, 250 * MS + 1)).isTrue();
    }

    @Test
    void others_use_no_less_than_nothing() {
        CoreTicks before = new CoreTicks(100, 1_000, 50);
        assertThat(new CoreTicks(300, 1_400, 150).otherProcessesShareSince(before))
                .isEqualTo(0.25);
        assertThat(new CoreTicks(300, 1_400, 40).otherProcessesShareSince(before))
                .as("a process of the build ended")
                .isEqualTo(0.5);
        assertThat(new CoreTicks(200, 1_400, 200).otherProcessesShareSince(before))
                .isZero();
        assertThat(before.otherProcessesShareSince(before)).isZero();
    }

    @Test
    void others_crowd_from_a_quarter_of_the_cores_on_if_a_control_takes_twice_its_time() {
        assertThat(crowding(0.25, 10 * MS).isCrowded()).isTrue();
        assertThat(crowding(0.249, 10 * MS).isCrowded()).isFalse();
        assertThat(crowding(0.25, 10 * MS - 1).isCrowded()).isFalse();
    }

    @Test
    void the_services_own_CPU_use_explains_nothing() {
        assertThat(crowding(0.05, 48 * MS).explains(10 * MS)).isFalse();
    }

    @Test
    void others_that_kept_no_control_waiting_explain_nothing() {
        assertThat(crowding(0.61, 6 * MS).explains(10 * MS)).isFalse();
    }

    @Test
    void a_stall_in_which_two_controls_were_on_time_is_the_services() {
        List<CpuContention.Control> controls = IntStream.range(0, 80)
                .mapToObj(i -> new CpuContention.Control(i * 250 * MS, i < 40 ? 98 * MS : 6 * MS))
                .toList();
        CpuContention early = new CpuContention(0.61, OptionalDouble.empty(), controls);
        assertThat(early.explains(5 * S, 600 * MS)).isTrue();
        assertThat(early.explains(15 * S, 600 * MS)).isFalse();
        assertThat(early.since(10 * S).isCrowded()).isFalse();
    }

    /** Four calls a second miss most stalls of 100 ms. A Spring service beside four builds failed its gate for it. */
    @Test
    void a_stall_shorter_than_the_gap_of_two_controls_is_judged_by_all_of_them() {
        CpuContention crowded = crowding(0.61, 48 * MS);
        assertThat(crowded.explains(15 * S + 100 * MS, 120 * MS)).isTrue(); // no control
        List<CpuContention.Control> controls = IntStream.range(0, 80)
                .mapToObj(i -> new CpuContention.Control(i * 250 * MS, i == 60 ? 6 * MS : 48 * MS))
                .toList();
        assertThat(new CpuContention(0.61, OptionalDouble.empty(), controls).explains(15 * S - 50 * MS, 120 * MS))
                .isTrue(); // one control, on time
        assertThat(crowded.explains(15 * S + 100 * MS, 500 * MS)).isFalse(); // longer than any explained wait
    }

    @Test
    void processor_time_of_the_build_its_session_and_what_it_watches_is_not_others() {
        List<CoreTicks.Process> processes = List.of(
                CoreTicks.Process.of("10 (java) S 1 7 7 0 -1 0 0 0 0 0 100 20 3 4 20 0"),
                new CoreTicks.Process(11, 10, 11, 1_000), // started by the build in a session of its own
                new CoreTicks.Process(12, 1, 7, 200), // beside the build, of its session
                new CoreTicks.Process(13, 1, 13, 500), // watched
                new CoreTicks.Process(14, 1, 14, 9_000));
        CoreTicks ticks = CoreTicks.of("cpu  5000 1 5999 7000 10 5 5 90 0 0", processes, 10, Set.of(13L));
        assertThat(ticks).isEqualTo(new CoreTicks(11_010, 18_110, 1_827));
        CoreTicks later = new CoreTicks(11_010 + 700, 18_110 + 1_000, 1_827 + 90);
        assertThat(later.otherProcessesShareSince(ticks)).isEqualTo(0.61);
    }

    @Test
    void a_machine_is_read() {
        CpuContentionMonitor watch = CpuContentionMonitor.start(Set.of());
        Thread control = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("downbeat-control"))
                .findFirst()
                .orElseThrow();
        while (control.getState() != Thread.State.TIMED_WAITING) { // for its next call
            Thread.yield();
        }
        CpuContention crowding = watch.stop().orElseThrow();
        assertThat(crowding.controls()).isNotEmpty().allMatch(call -> call.tookNanos() >= CpuContention.CONTROL_NANOS);
        assertThat(crowding.othersShare()).isBetween(0.0, 1.0);
        assertThat(CpuContentionMonitor.pressureMicros("some avg10=9.5 avg60=6.1 avg300=5.4 total=125"))
                .hasValue(125);
        assertThat(CpuContentionMonitor.pressureMicros("some avg10=9.5")).isEmpty();
    }
}
