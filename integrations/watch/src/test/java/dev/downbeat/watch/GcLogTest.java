package dev.downbeat.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GcLogTest {
    private static final Instant NOON = Instant.parse("2026-05-01T12:00:00Z");
    private static final long SECOND = 1_000_000_000;
    private static final RunTime RUN = new RunTime(NOON, 60 * SECOND);

    @TempDir
    Path folder;

    private WatchResult read(Optional<Instant> start, String... lines) throws IOException {
        return GcLog.read(log(lines), RUN, start);
    }

    private Path log(String... lines) throws IOException {
        return Files.write(folder.resolve("gc.log"), List.of(lines));
    }

    @Test
    void each_collector_s_pauses_are_found_whatever_decorates_the_line() throws IOException {
        WatchResult seen = read(
                Optional.empty(),
                "[2026-05-01T12:00:01.000+0000][1.000s][info][gc,start    ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)",
                "[2026-05-01T12:00:01.005+0000][1.005s][info][gc          ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)"
                        + " 24M->4M(256M) 5.000ms",
                "[2026-05-01T14:00:02.000+0200][2.000s][info][gc] GC(1) Pause Full (System.gc()) 12M->1M(64M) 40.500ms",
                "[2026-05-01T12:00:03,000+0000][gc] GC(2) Pause Init Mark (unload classes) 0.250ms",
                "[2026-05-01T12:00:04.000+0000][gc,phases] GC(3) y: Pause Mark Start 0.010ms",
                "[2026-05-01T12:00:05.000+0000][gc] Allocation Stall (worker-1) 12.000ms",
                "[2026-05-01T12:00:06.000+0000][safepoint] Safepoint \"ICBufferFull\", Time since last: 5 ns, Reaching safepoint:"
                        + " 2000000 ns, Cleanup: 1 ns, At safepoint: 1 ns, Total: 2500000 ns",
                "[2026-05-01T12:00:07.000+0000][safepoint] Total time for which application threads were stopped: 0.0030000"
                        + " seconds, Stopping threads took: 0.0000100 seconds",
                "[2026-05-01T12:00:07.100+0000][gc,cpu] GC(3) User=0.01s Sys=0.00s Real=0.01s");
        assertThat(seen.notes()).isEmpty();
        assertThat(seen.events())
                .containsExactly(
                        new Event(
                                EventKind.COLLECTION_PAUSE, SECOND, 5_000_000, "Young (Normal) (G1 Evacuation Pause)"),
                        new Event(EventKind.FULL_COLLECTION, 2 * SECOND - 40_500_000, 40_500_000, "Full (System.gc())"),
                        new Event(
                                EventKind.COLLECTION_PAUSE,
                                3 * SECOND - 250_000,
                                250_000,
                                "Init Mark (unload classes)"),
                        new Event(EventKind.COLLECTION_PAUSE, 4 * SECOND - 10_000, 10_000, "Mark Start"),
                        new Event(EventKind.ALLOCATION_STALL, 5 * SECOND - 12_000_000, 12_000_000, "worker-1"),
                        new Event(EventKind.SAFEPOINT, 6 * SECOND - 2_500_000, 2_500_000, "ICBufferFull"),
                        new Event(EventKind.SAFEPOINT, 7 * SECOND - 3_000_000, 3_000_000, ""));
    }

    /** Written anew by integrations/watch/scripts/gc-logs.sh. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "17-G1", "17-Parallel", "17-Serial", "17-Shenandoah", "17-Z",
                "25-G1", "25-Parallel", "25-Serial", "25-Shenandoah", "25-Z"
            })
    void the_logs_of_real_JVMs_are_understood(String jvm) throws Exception {
        Path file = Path.of(Objects.requireNonNull(GcLogTest.class.getResource("gc-" + jvm + ".log"))
                .toURI());
        List<String> lines = Files.readAllLines(file);
        long pauses = lines.stream().filter(line -> line.matches(".*Pause.*ms")).count();
        long full =
                lines.stream().filter(line -> line.matches(".*Pause Full.*ms")).count();
        Instant first = Instant.parse(lines.get(0).substring(1, 24) + "Z");
        WatchResult seen = GcLog.read(file, new RunTime(first, 60 * SECOND), Optional.empty());
        assertThat(seen.notes()).isEmpty();
        assertThat(pauses).isPositive();
        assertThat(full).isEqualTo(jvm.matches(".*(G1|Parallel|Serial)") ? 1 : 0);
        assertThat(seen.events())
                .filteredOn(event -> event.kind() == EventKind.COLLECTION_PAUSE)
                .hasSize((int) (pauses - full));
        assertThat(seen.events())
                .filteredOn(event -> event.kind() == EventKind.FULL_COLLECTION)
                .hasSize((int) full);
    }

    @Test
    void lines_without_a_date_need_the_start_of_the_JVM() throws IOException {
        String line = "[71.000s][info][gc] GC(7) Pause Young (Allocation Failure) 4M->1M(9M) 3.000ms";
        Event expected =
                new Event(EventKind.COLLECTION_PAUSE, 61 * SECOND - 3_000_000, 3_000_000, "Young (Allocation Failure)");
        RunTime run = new RunTime(NOON, 120 * SECOND);
        Path log = log("[0.010s][info][gc] Using Serial", line);
        WatchResult told = GcLog.read(log, run, Optional.of(NOON.minusSeconds(10)));
        assertThat(told.events()).containsExactly(expected);
        assertThat(told.notes()).isEmpty();
        Files.setLastModifiedTime(log, FileTime.from(NOON.plusSeconds(61)));
        WatchResult guessed = GcLog.read(log, run, Optional.empty());
        assertThat(guessed.events()).containsExactly(expected);
        assertThat(guessed.notes()).singleElement().asString().contains("--gc-log-start");
    }

    @Test
    void times_are_also_milliseconds_and_a_stop_within_a_collection_or_of_less_than_a_millisecond_is_none()
            throws IOException {
        WatchResult seen = read(
                Optional.empty(),
                "[1777636801000ms][gc] GC(1) Pause Young (Normal) 2M->1M(64M) 10.000ms",
                "[1777636801000ms][safepoint] Safepoint \"Collection\", Time since last: 5 ns, Total: 10000000 ns",
                "[1777636802000ms][safepoint] Safepoint \"Short\", Time since last: 5 ns, Total: 999999 ns",
                "[1777636803000ms][safepoint] Safepoint \"Long\", Time since last: 5 ns, Total: 1000000 ns");
        assertThat(seen.events())
                .containsExactly(
                        new Event(EventKind.COLLECTION_PAUSE, SECOND - 10_000_000, 10_000_000, "Young (Normal)"),
                        new Event(EventKind.SAFEPOINT, 3 * SECOND - 1_000_000, 1_000_000, "Long"));
        assertThat(seen.fromNanos()).as("from its first line on").isEqualTo(SECOND);
        WatchResult uptime = GcLog.read(
                log("[3000ms][gc] GC(1) Pause Young (Normal) 2M->1M(64M) 10.000ms"),
                RUN,
                Optional.of(NOON.minusSeconds(1)));
        assertThat(uptime.events()).extracting(Event::startNanos).containsExactly(2 * SECOND - 10_000_000);
    }

    @Test
    void a_log_without_pauses_is_named_with_the_option_that_logs_them() throws IOException {
        WatchResult seen = read(Optional.empty(), "[2026-05-01T12:00:01.000+0000][info][gc] Using Z");
        assertThat(seen.events()).isEmpty();
        assertThat(seen.notes())
                .containsExactly("it has no pauses: use -Xlog:gc*,safepoint, which logs those of all collectors");
    }

    @Test
    void a_log_of_another_day_or_an_invalid_log_is_one_line() throws IOException {
        assertThat(read(
                                Optional.empty(),
                                "[2026-04-30T12:00:01.000+0000][gc] GC(1) Pause Full (System.gc()) 2M->1M(64M) 4.5ms")
                        .notes())
                .containsExactly(
                        "the file covers 2026-04-30 12:00:01 to 2026-04-30 12:00:01 UTC; the run started at 2026-05-01 12:00:00 UTC");
        assertThatThrownBy(() -> read(Optional.empty(), "no log", "[info] of anything"))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("gc.log has no timestamped JVM log lines, as written by -Xlog:gc*");
    }
}
