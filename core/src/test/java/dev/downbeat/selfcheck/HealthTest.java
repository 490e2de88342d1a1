package dev.downbeat.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Interruptions.Pause;
import dev.downbeat.selfcheck.DelayTotals.RunDelay;
import dev.downbeat.selfcheck.HealthMonitor.GcPauses;
import dev.downbeat.selfcheck.HealthMonitor.HiccupMeter;
import dev.downbeat.selfcheck.HealthMonitor.ProcessorTime;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.management.ObjectName;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class HealthTest {
    private static final long MS = 1_000_000;

    private static final class Collector implements GarbageCollectorMXBean {
        private final String name;
        long count;
        long millis;

        Collector(String name) {
            this.name = name;
        }

        @Override
        public long getCollectionCount() {
            return count;
        }

        @Override
        public long getCollectionTime() {
            return millis;
        }

        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public String[] getMemoryPoolNames() {
            return new String[0];
        }

        @Override
        public ObjectName getObjectName() {
            throw new UnsupportedOperationException("nobody asks");
        }
    }

    @Test
    void collections_before_the_run_do_not_count() {
        Collector young = new Collector("G1 Young Generation");
        young.count = 10;
        young.millis = 900;
        GcPauses pauses = new GcPauses(List.of(young));
        young.count++;
        young.millis += 7;
        pauses.read();
        young.count++;
        young.millis += 3;
        pauses.read();
        assertThat(pauses.count()).isEqualTo(2);
        assertThat(pauses.nanos()).isEqualTo(10 * MS);
        assertThat(pauses.largestNanos()).isEqualTo(7 * MS);
    }

    @Test
    void the_first_collection_counts_and_a_collector_without_data_does_not() {
        Collector young = new Collector("G1 Young Generation");
        Collector silent = new Collector("ZGC Pauses");
        silent.count = -1;
        silent.millis = -1;
        GcPauses pauses = new GcPauses(List.of(young, silent));
        pauses.read();
        assertThat(pauses.count()).isZero();
        young.count = 1;
        young.millis = 4;
        pauses.read();
        assertThat(pauses.count()).isOne();
        assertThat(pauses.soFarNanos()).isEqualTo(4 * MS);
        young.millis = 9; // still the same collection
        pauses.read();
        assertThat(pauses.largestNanos()).isEqualTo(4 * MS);
        assertThat(pauses.nanos()).isEqualTo(9 * MS);
    }

    @Test
    void a_later_part_and_another_process_add_what_they_used_and_the_longest_pause_counts() {
        GeneratorHealth one = new GeneratorHealth(100, 10, 7, 70, 9, 1, 20, 5, 30);
        GeneratorHealth other = new GeneratorHealth(200, 40, 8, 60, 11, 2, 10, 4, 3);
        assertThat(one.then(other)).isEqualTo(new GeneratorHealth(300, 50, 8, 160, 20, 3, 30, 5, 33));
        assertThat(other.then(one)).isEqualTo(new GeneratorHealth(300, 50, 8, 60, 20, 3, 30, 5, 33));
        assertThat(one.beside(other)).isEqualTo(new GeneratorHealth(200, 50, 8, 60, 11, 3, 30, 5, 30));
        assertThat(other.beside(one)).isEqualTo(one.beside(other));
        GeneratorHealth asLong = new GeneratorHealth(100, 10, 7, 20, 0, 0, 0, 0, 0);
        assertThat(one.beside(asLong).largestHiccupAtNanos()).isEqualTo(70);
        assertThat(one.then(asLong).largestHiccupAtNanos()).isEqualTo(70);
        GeneratorHealth unknown = GeneratorHealth.unknown(100);
        assertThat(one.then(unknown)).isEqualTo(new GeneratorHealth(200, -1, 7, 70, 9, 1, 20, 5, -1));
        assertThat(unknown.then(one).cpuNanos()).isEqualTo(-1);
        assertThat(new GeneratorHealth(1, 0, 0, 0, 0, 0, 0, 0, 0).then(one).cpuNanos())
                .isEqualTo(10);
        assertThat(one.withoutHiccups()).isEqualTo(new GeneratorHealth(100, 10, 0, 0, 0, 1, 20, 5, 30));
        assertThat(GeneratorHealth.IDEAL.isIdeal()).isTrue();
        assertThat(unknown.isIdeal()).isFalse();
        assertThat(unknown.isUnknown()).isTrue();
        assertThat(unknown.beside(GeneratorHealth.unknown(200)).isUnknown()).isTrue();
        assertThat(one.beside(unknown).isUnknown()).isFalse();
        assertThat(GeneratorHealth.IDEAL.isUnknown()).isFalse();
    }

    @ParameterizedTest(name = "{0} ns of run delay, {1} ns of hiccups, {2} ns of collections: {3} ns")
    @CsvSource({"5, 70, 900, 905", "0, 70, 900, 900", "-1, 70, 900, 970"})
    void hiccups_stand_for_a_run_delay_that_is_unknown(long runDelay, long hiccups, long gc, long kept) {
        DelayTotals totals = new DelayTotals() {
            @Override
            public long runDelayNanos() {
                return runDelay;
            }

            @Override
            public long hiccupNanos() {
                return hiccups;
            }

            @Override
            public long gcNanos() {
                return gc;
            }
        };
        assertThat(totals.totalNanos()).isEqualTo(kept);
        assertThat(DelayTotals.IDEAL.totalNanos()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"OpenJDK 64-Bit Server VM 17.0.15+6, 17", "OpenJDK 64-Bit Server VM 21-ea+5, 21", "25, 25"})
    void the_release_of_Java_is_the_first_number_of_its_version(String jvm, String release) {
        assertThat(new MachineProfile(1, -1, "", "", "", jvm, List.of(), 1, 1, 1, "").javaRelease())
                .isEqualTo(release);
    }

    @Test
    void concurrent_cycles_are_no_pauses() {
        Collector cycles = new Collector("ZGC Cycles");
        Collector concurrent = new Collector("G1 Concurrent GC");
        GcPauses pauses = new GcPauses(List.of(cycles, concurrent));
        cycles.count++;
        cycles.millis += 500;
        concurrent.count++;
        pauses.read();
        assertThat(pauses.count()).isZero();
        assertThat(pauses.largestNanos()).isZero();
        assertThat(GcPauses.stopsTheProcess("ZGC Pauses")).isTrue();
    }

    @Test
    void the_longest_standstill_is_kept_with_its_place_and_small_ones_are_not_added_up() {
        HiccupMeter meter = new HiccupMeter(0, HiccupMeter.PARK_NANOS, new GcPauses(List.of()), at -> {});
        meter.noticed(-MS, MS);
        meter.noticed(9 * MS, 20 * MS);
        meter.noticed(2_000 * MS, 5_000 * MS);
        meter.noticed(30 * MS, 6_000 * MS);
        assertThat(meter.largestNanos()).isEqualTo(2_000 * MS);
        assertThat(meter.largestAtNanos()).isEqualTo(5_000 * MS);
        assertThat(meter.sumNanos()).isEqualTo(2_030 * MS);
    }

    @Test
    void a_pause_is_a_span_above_50_ms_is_counted_above_10_ms_and_noticed_above_1_ms() {
        HiccupMeter meter = new HiccupMeter(0, HiccupMeter.PARK_NANOS, new GcPauses(List.of()), at -> {});
        meter.noticed(MS, 10 * MS);
        assertThat(meter.soFarNanos()).isZero();
        meter.noticed(2 * MS, 20 * MS);
        assertThat(meter.soFarNanos()).isEqualTo(2 * MS);
        meter.noticed(10 * MS, 40 * MS);
        assertThat(meter.sumNanos()).isZero();
        meter.noticed(10 * MS + 1, 60 * MS);
        assertThat(meter.sumNanos()).isEqualTo(10 * MS + 1);
        meter.noticed(50 * MS, 200 * MS);
        assertThat(meter.pauses(0)).isEmpty();
        meter.noticed(60 * MS, 300 * MS);
        assertThat(meter.pauses(0)).containsExactly(new Pause(240 * MS, 300 * MS));
    }

    @Test
    void stolen_time_is_the_eighth_number_of_the_first_line() {
        assertThat(ProcessorTime.stolenNanos("cpu  1 2 3 4 5 6 7 123 9 10")).isEqualTo(1_230 * MS);
        assertThat(ProcessorTime.stolenNanos("cpu  1 2 3 4 5 6 7")).isEqualTo(-1);
        assertThat(ProcessorTime.stolenNanos("intr 1 2 3 4 5 6 7 8 9 10")).isEqualTo(-1);
    }

    @Test
    void an_unknown_end_makes_the_whole_unknown() {
        assertThat(ProcessorTime.between(-1, 5)).isEqualTo(-1);
        assertThat(ProcessorTime.between(5, -1)).isEqualTo(-1);
        assertThat(ProcessorTime.between(5, 8)).isEqualTo(3);
    }

    @Test
    void a_processor_limit_is_a_quota_over_a_period() {
        assertThat(ControlGroups.millicores("150000 100000\n")).isEqualTo(1_500);
        assertThat(ControlGroups.millicores("max 100000\n")).isEqualTo(-1);
        assertThat(ControlGroups.millicores("-1 100000\n")).isEqualTo(-1);
        assertThat(ControlGroups.millicores("")).isEqualTo(-1);
    }

    @ParameterizedTest(name = "{0}, {1} in {2}")
    @CsvSource({
        "0::/slice/service, 150000 100000, slice/service, 1500",
        "0::/slice/service, 50000 100000, slice, 500",
        "0::/slice/service, max 100000, slice/service, -1",
        "0::/slice/service, 50000 100000, other, -1",
        "0::/, 50000 100000, '', 500",
        "0::/../pod, 50000 100000, '', 500",
        "'4:cpu,cpuacct:/docker/a', 50000 100000, 'cpu,cpuacct/docker/a', 500",
        "4:cpu:/docker/a, 50000 100000, cpu, 500",
        "4:cpu:/docker/a, -1 100000, cpu/docker/a, -1",
        "4:cpuset:/docker/a, 50000 100000, cpu/docker/a, -1"
    })
    void a_processor_limit_is_found_in_each_control_group(
            String listing, String limit, String folder, long millicores, @TempDir Path root) throws IOException {
        Path group = root.resolve("sys/fs/cgroup").resolve(folder);
        Files.createDirectories(group);
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(root.resolve("proc/self/cgroup"), "9:name=systemd:/\n" + listing + "\n");
        Files.writeString(group.resolve("cpu.stat"), "nr_periods 1\n");
        if (listing.startsWith("0")) {
            Files.writeString(group.resolve("cgroup.type"), "domain\n");
            Files.writeString(group.resolve("cpu.max"), limit + "\n");
        } else {
            Files.writeString(group.resolve("cpu.cfs_quota_us"), limit.split(" ")[0] + "\n");
            Files.writeString(group.resolve("cpu.cfs_period_us"), limit.split(" ")[1] + "\n");
        }
        assertThat(ControlGroups.millicores(root)).isEqualTo(millicores);
    }

    @Test
    void the_least_limit_of_all_control_groups_applies(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(root.resolve("proc/self/cgroup"), "0::/pod/container\n");
        assertThat(ControlGroups.millicores(root)).isEqualTo(-1);
        for (String limited : List.of("pod/container 400000", "pod 250000")) {
            String[] parts = limited.split(" ");
            Path group = Files.createDirectories(root.resolve("sys/fs/cgroup/" + parts[0]));
            Files.writeString(group.resolve("cpu.stat"), "nr_periods 1\n");
            Files.writeString(group.resolve("cpu.max"), parts[1] + " 100000\n");
        }
        assertThat(ControlGroups.millicores(root)).isEqualTo(2_500);
    }

    @Test
    void a_monitor_sees_this_process_work() {
        HealthMonitor monitor = HealthMonitor.start();
        long untilAt = System.nanoTime() + 30 * MS;
        while (System.nanoTime() - untilAt < 0) {
            Thread.onSpinWait();
        }
        GeneratorHealth health = monitor.stop();
        assertThat(health.wallNanos()).isGreaterThanOrEqualTo(30 * MS);
        assertThat(health.cpuNanos()).isPositive();
        assertThat(health.largestHiccupNanos()).isPositive();
        assertThat(health.largestHiccupAtNanos()).isBetween(1L, health.wallNanos());
    }

    @Test
    void a_machine_is_described() {
        MachineProfile machine = MachineProfile.measure();
        assertThat(machine.cores()).isPositive();
        assertThat(machine.jvm()).contains(System.getProperty("java.runtime.version"));
        assertThat(machine.collectors()).isNotEmpty();
        assertThat(machine.clockGranularityNanos()).isPositive();
        assertThat(machine.clockReadNanos()).isPositive();
    }

    @Test
    void the_kernels_line_of_a_thread_is_read() {
        java.nio.ByteBuffer line = java.nio.ByteBuffer.wrap(
                "178232155 13333193 412\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(RunDelay.second(line, line.limit())).isEqualTo(13_333_193);
        assertThat(RunDelay.second(line, 9)).isEqualTo(-1);
        assertThat(RunDelay.unknown().nanos()).isEqualTo(-1);
        try (RunDelay own = RunDelay.ofThisThread()) {
            long first = own.nanos();
            assertThat(first >= 0)
                    .as("known: %s", first)
                    .isEqualTo(java.nio.file.Files.exists(java.nio.file.Path.of("/proc/thread-self/schedstat")));
            assertThat(own.nanos()).isGreaterThanOrEqualTo(first);
        }
    }
}
