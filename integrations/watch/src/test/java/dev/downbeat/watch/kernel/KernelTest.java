package dev.downbeat.watch.kernel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.SamplingWatcher.Sampler;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A kernel on paper: its files, written anew between two looks. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KernelTest {
    private static final long STEP = 100_000_000;
    private static final String CPU = "usage_usec 5\nnr_periods 9\nnr_throttled %d\nthrottled_usec %d\n";

    @TempDir
    Path root;

    private Kernel kernel;
    private long now = STEP;

    @BeforeEach
    void files() throws IOException {
        kernel = new Kernel(root);
        write("proc/7/stat", "7 (a (b) c) S 1 7");
        write("proc/7/cgroup", "9:name=systemd:/\n0::/box/app\n");
        write("proc/7/task/7/schedstat", "100 0 1\n");
        write("proc/7/task/8/schedstat", "100 50 1\n");
        write(
                "proc/7/net/netstat",
                "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 1 5 6\nIpExt: A\nIpExt: 2\n");
        write(
                "proc/7/net/snmp",
                "Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm RtoMin MaxConn RetransSegs InErrs\nTcp: 1 200 -1 114 0\n");
        write("sys/fs/cgroup/box/app/cpu.stat", String.format(CPU, 0, 0));
        write("sys/fs/cgroup/box/app/memory.events", "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n");
        write("sys/fs/cgroup/box/app/cpu.pressure", pressure(0));
        write("sys/fs/cgroup/box/app/memory.pressure", pressure(0));
        write("sys/fs/cgroup/box/app/io.pressure", pressure(0));
    }

    /** As when a control group is removed while it is opened. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu.stat", "memory.events"})
    void no_file_stays_open_if_another_cannot_be_read(String name) throws IOException {
        Path unreadable = root.resolve("sys/fs/cgroup/box/app").resolve(name);
        Files.delete(unreadable);
        Files.createDirectory(unreadable);
        assertThatThrownBy(() -> {
                    kernel.state(7).forEach(Sampler::close);
                    kernel.counters(7);
                })
                .isInstanceOf(IOException.class);
        assertThat(openFiles()).isEmpty();
    }

    private List<Path> openFiles() throws IOException {
        List<Path> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path one : descriptors.toList()) {
                try {
                    Path file = Files.readSymbolicLink(one);
                    if (file.startsWith(root.toRealPath())) {
                        open.add(file);
                    }
                } catch (IOException closed) {
                    // that of the list itself
                }
            }
        }
        return open;
    }

    private static String pressure(long micros) {
        return "some avg10=0.01 avg60=0.43 avg300=6.04 total=" + micros
                + "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void look(List<Sampler> samplers) throws IOException {
        now += STEP;
        for (Sampler sampler : samplers) {
            sampler.sample(now);
        }
    }

    private static List<Event> events(List<Sampler> samplers) {
        List<Event> events = new ArrayList<>();
        samplers.forEach(sampler -> events.addAll(sampler.events()));
        samplers.forEach(Sampler::close);
        return events;
    }

    @Test
    void changes_between_samples_are_events_between_them() throws IOException {
        List<Sampler> samplers = kernel.counters(7);
        samplers.addAll(kernel.threads(7));
        look(samplers);
        look(samplers);
        look(samplers);
        write("proc/7/task/8/schedstat", "100 30000050 2\n");
        write("sys/fs/cgroup/box/app/memory.events", "low 0\nhigh 0\nmax 3\noom 0\noom_kill 0\n");
        write("sys/fs/cgroup/box/app/io.pressure", pressure(50_000));
        write(
                "proc/7/net/netstat",
                "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 1 9 6\nIpExt: A\nIpExt: 2\n");
        write(
                "proc/7/net/snmp",
                "Ip: Forwarding\nIp: 1\nTcp: RtoAlgorithm RtoMin MaxConn RetransSegs InErrs\nTcp: 1 200 -1 115 0\n");
        look(samplers);
        long from = now - STEP;
        look(samplers);
        assertThat(events(samplers))
                .containsExactlyInAnyOrder(
                        new Event(EventKind.PROCESSOR_WAIT, from, STEP, "a thread waited up to 30 ms"),
                        new Event(EventKind.MEMORY_STALL, from, STEP, "memory limit reached (max)"),
                        new Event(
                                EventKind.IO_STALL,
                                from,
                                STEP,
                                "some threads of the control group stalled 50 % of the time"),
                        new Event(
                                EventKind.LISTEN_OVERFLOW, from, STEP + 1_000_000_000, "up to 40 connections a second"),
                        new Event(
                                EventKind.RETRANSMIT,
                                from - 200_000_000,
                                STEP + 200_000_000,
                                "up to 10 packets a second"));
    }

    @Test
    void a_stop_begins_and_ends_between_two_looks() throws IOException {
        List<Sampler> samplers = kernel.state(7);
        look(samplers);
        write("proc/7/stat", "7 (a (b) c) T 1 7");
        look(samplers);
        long from = now - STEP / 2;
        look(samplers);
        write("proc/7/stat", "7 (a (b) c) R 1 7");
        look(samplers);
        assertThat(events(samplers)).containsExactly(new Event(EventKind.PROCESS_STOPPED, from, 2 * STEP, ""));
    }

    @Test
    void a_stop_that_goes_on_ends_with_the_last_look_and_is_reported_once() throws IOException {
        List<Sampler> samplers = kernel.state(7);
        write("proc/7/stat", "7 (a (b) c) t 1 7"); // stopped by a debugger before the watch
        look(samplers);
        long from = now;
        look(samplers);
        assertThat(samplers.get(0).events())
                .containsExactly(new Event(EventKind.PROCESS_STOPPED, from, STEP, ""))
                .isEqualTo(samplers.get(0).events());
        samplers.forEach(Sampler::close);
    }

    @Test
    void a_process_that_ended_leaves_nothing_to_sample() throws IOException {
        List<Sampler> samplers = kernel.state(7);
        for (String state : List.of("Z", "X")) {
            write("proc/7/stat", "7 (a (b) c) " + state + " 1 7");
            assertThatThrownBy(() -> samplers.get(0).sample(now)).hasMessage("it ended");
        }
        samplers.forEach(Sampler::close);
    }

    @Test
    void a_wait_for_a_processor_that_is_longer_than_a_look_began_before_it() throws IOException {
        List<Sampler> samplers = kernel.threads(7);
        look(samplers);
        look(samplers);
        look(samplers);
        write("proc/7/task/8/schedstat", "100 20000050 2\n"); // beside a longer one, this is none
        look(samplers);
        for (int i = 0; i < 4; i++) {
            look(samplers);
        }
        write("proc/7/task/8/schedstat", "100 270000050 3\n");
        look(samplers);
        assertThat(events(samplers))
                .containsExactly(new Event(
                        EventKind.PROCESSOR_WAIT, now - 250_000_000, 250_000_000, "a thread waited up to 250 ms"));
    }

    /** Threads are listed once a second. */
    @Test
    void threads_that_come_are_watched_and_those_that_go_are_forgotten() throws IOException {
        List<Sampler> samplers = kernel.threads(7);
        look(samplers);
        write("proc/7/task/9/schedstat", "100 70000000 1\n"); // waited before it was seen
        Files.delete(root.resolve("proc/7/task/8/schedstat"));
        Files.delete(root.resolve("proc/7/task/8"));
        for (int i = 0; i < 11; i++) {
            look(samplers);
        }
        write("proc/7/task/9/schedstat", "100 100000000 2\n");
        look(samplers);
        assertThat(events(samplers))
                .containsExactly(new Event(EventKind.PROCESSOR_WAIT, now - STEP, STEP, "a thread waited up to 30 ms"));
    }

    @Test
    void without_a_group_that_knows_them_stalls_are_those_of_the_machine() throws IOException {
        Files.delete(root.resolve("sys/fs/cgroup/box/app/io.pressure"));
        write("proc/pressure/io", pressure(0));
        write("proc/pressure/memory", pressure(0));
        List<Sampler> samplers = kernel.counters(7);
        for (int i = 0; i < 3; i++) {
            look(samplers);
        }
        write("proc/pressure/io", pressure(50_000));
        write("proc/pressure/memory", pressure(9_999)); // less than a tenth of the time
        look(samplers);
        assertThat(events(samplers))
                .containsExactly(new Event(
                        EventKind.IO_STALL, now - STEP, STEP, "some threads of the machine stalled 50 % of the time"));
    }

    @Test
    void throttling_is_dated_between_two_samples() throws IOException {
        List<Sampler> samplers = kernel.state(7);
        look(samplers);
        look(samplers);
        write("sys/fs/cgroup/box/app/cpu.stat", String.format(CPU, 1, 62_000));
        look(samplers);
        long first = now - STEP / 2;
        write("sys/fs/cgroup/box/app/cpu.stat", String.format(CPU, 2, 262_000)); // of two processors together
        look(samplers);
        write("sys/fs/cgroup/box/app/cpu.stat", String.format(CPU, 2, 262_500)); // too short to matter
        look(samplers);
        String detail = "up to 100 ms at a time";
        assertThat(events(samplers))
                .containsExactly(
                        new Event(EventKind.THROTTLED, first - 62_000_000, 62_000_000, detail),
                        new Event(EventKind.THROTTLED, first, STEP, detail));
    }

    @Test
    void of_too_many_throttled_periods_the_longest_are_kept_to_the_end_of_a_long_run() throws IOException {
        Path group = root.resolve("sys/fs/cgroup/box/app");
        List<Sampler> samplers = kernel.throttling(group);
        look(samplers);
        int periods = EventLog.MOST + 10;
        long micros = 0;
        try (FileChannel file = FileChannel.open(group.resolve("cpu.stat"), StandardOpenOption.WRITE)) {
            for (int i = 1; i <= periods; i++) {
                micros += i > EventLog.MOST ? 30_000 : 20_000;
                file.write(ByteBuffer.wrap(("throttled_usec " + micros + "\n").getBytes(US_ASCII)), 0);
                look(samplers);
            }
        }
        assertThat(samplers.stream().flatMap(sampler -> sampler.note().stream()))
                .containsExactly("CPU throttling: only the longest 50000 of 50010 events are kept");
        assertThat(events(samplers))
                .hasSize(EventLog.MOST)
                .contains(new Event(
                        EventKind.THROTTLED, now - STEP / 2 - 30_000_000, 30_000_000, "up to 30 ms at a time"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"/box/app, box", "/, ''"})
    void the_limit_of_an_outer_group_and_of_a_containers_root_apply_as_well(String name, String folder)
            throws IOException {
        Path group = Path.of("sys/fs/cgroup").resolve(folder);
        write("proc/7/cgroup", "0::" + name + "\n");
        write(group.resolve("cgroup.type").toString(), "domain\n");
        write(group.resolve("cpu.stat").toString(), String.format(CPU, 0, 0));
        List<Sampler> samplers = kernel.state(7);
        look(samplers);
        look(samplers);
        write(group.resolve("cpu.stat").toString(), String.format(CPU, 1, 45_000));
        look(samplers);
        assertThat(events(samplers))
                .containsExactly(new Event(
                        EventKind.THROTTLED, now - STEP / 2 - 45_000_000, 45_000_000, "up to 45 ms at a time"));
    }

    @ParameterizedTest(name = "in {0}")
    @ValueSource(strings = {"cpu/old", "cpu"})
    void groups_of_the_older_version_are_found_as_well(String folder) throws IOException {
        write("proc/7/cgroup", "8:pids:/\n1:cpu:/old\n0::/\n");
        String statistics = "sys/fs/cgroup/" + folder + "/cpu.stat";
        write(statistics, "nr_periods 1\nnr_throttled 0\nthrottled_time 0\n");
        List<Sampler> samplers = kernel.state(7);
        look(samplers);
        look(samplers);
        look(samplers);
        write(statistics, "nr_periods 1\nnr_throttled 1\nthrottled_time 45000000\n");
        look(samplers);
        assertThat(events(samplers))
                .containsExactly(new Event(
                        EventKind.THROTTLED, now - STEP / 2 - 45_000_000, 45_000_000, "up to 45 ms at a time"));
    }
}
