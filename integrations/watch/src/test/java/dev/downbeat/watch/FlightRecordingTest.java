package dev.downbeat.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service in this JVM, watched while it runs, and by the file that its flight recorder left. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FlightRecordingTest {
    @TempDir
    Path folder;

    @Test
    void a_collection_is_at_the_same_place_live_and_in_the_file() throws IOException {
        Path file = folder.resolve("app.jfr");
        long startAt;
        Instant started;
        long length;
        WatchResult live;
        try (Watcher watcher = (Watcher) Watchers.self();
                Recording recording = new Recording()) {
            recording.setSettings(FlightEvents.Setting.all());
            recording.start();
            watcher.begin();
            started = Instant.now();
            startAt = System.nanoTime();
            System.gc();
            length = System.nanoTime() - startAt;
            live = watcher.end(startAt, length);
            recording.stop();
            recording.dump(file);
        }
        WatchResult read = FlightRecording.read(file, new RunTime(started, length));
        assertThat(live.notes())
                .containsExactly(
                        "the service runs in the JVM of the measurement: its pauses are those of the measurement too");
        assertThat(read.notes()).isEmpty();
        assertThat(read.source()).isEqualTo("app.jfr");
        Event seen = collection(live);
        assertThat(seen.detail()).contains("System.gc()");
        assertThat(Math.abs(collection(read).startNanos() - seen.startNanos()))
                .isLessThan(
                        live.uncertaintyNanos() + TimeUnit.MILLISECONDS.toNanos(20)); // the clocks of a busy machine
        assertThat(collection(read).lengthNanos()).isEqualTo(seen.lengthNanos());

        Instant yesterday = started.minus(Duration.ofDays(1));
        assertThat(FlightRecording.read(file, new RunTime(yesterday, length)).notes())
                .singleElement()
                .asString()
                .startsWith("the file covers ")
                .contains(" UTC; the run started at ");
    }

    private static final class Shop {}

    private static final class Sampler {}

    private static final class Worker {}

    private static void park(String name, Object blocker) throws InterruptedException {
        Thread thread = new Thread(() -> LockSupport.parkNanos(blocker, TimeUnit.MILLISECONDS.toNanos(100)), name);
        thread.start();
        thread.join();
    }

    /** They wait just as long as a slow request takes, and would pass for its cause. */
    @Test
    void waits_of_threads_that_only_measure_are_none_of_the_service() throws Exception {
        try (Watcher watcher = (Watcher) Watchers.self()) {
            watcher.begin();
            long startAt = System.nanoTime();
            park("shop-1", new Shop());
            park("downbeat-left-work", new Sampler());
            park("downbeat-worker-1", new Worker());
            assertThat(watcher.end(startAt, System.nanoTime() - startAt).events())
                    .filteredOn(event -> event.kind() == EventKind.PARKED)
                    .extracting(Event::detail)
                    .contains("FlightRecordingTest$Shop", "FlightRecordingTest$Worker")
                    .doesNotContain("FlightRecordingTest$Sampler");
        }
    }

    private static Event collection(WatchResult watched) {
        return watched.events().stream()
                .filter(event -> event.kind() == EventKind.FULL_COLLECTION)
                .findFirst()
                .orElseThrow(() -> new AssertionError(watched.toString()));
    }

    /** The stack of a thread that is parked would cost each request of a usual server several microseconds. */
    @Test
    void a_service_is_asked_for_long_events_and_for_few_stack_traces() {
        assertThat(FlightEvents.Setting.inside())
                .containsEntry("jdk.JavaMonitorEnter#enabled", "true")
                .containsEntry("jdk.JavaMonitorEnter#threshold", "10 ms")
                .containsEntry("jdk.JavaMonitorEnter#stackTrace", "true")
                .containsEntry("jdk.ThreadPark#threshold", "10 ms")
                .containsEntry("jdk.ThreadPark#stackTrace", "false")
                .containsEntry("jdk.ExceptionStatistics#period", "500 ms")
                .doesNotContainKeys(
                        "jdk.ExceptionStatistics#threshold",
                        "jdk.CPULoad#enabled",
                        "jdk.ContainerCPUThrottling#enabled");
        assertThat(FlightEvents.Setting.all())
                .containsAllEntriesOf(FlightEvents.Setting.inside())
                .containsEntry("jdk.CPULoad#period", "1000 ms");
        assertThat(FlightEvents.Setting.LOCK.takes(10_000_000)).isTrue();
        assertThat(FlightEvents.Setting.LOCK.takes(9_999_999)).isFalse();
        assertThat(FlightEvents.Setting.of("jdk.ThreadPark")).contains(FlightEvents.Setting.PARK);
        assertThat(FlightEvents.Setting.of("jdk.Unknown")).isEmpty();
    }

    @Test
    void an_invalid_recording_is_refused_in_one_line() throws IOException {
        RunTime run = new RunTime(Instant.EPOCH, 1);
        Path text = Files.writeString(folder.resolve("a.jfr"), "no recording");
        assertThatThrownBy(() -> FlightRecording.read(text, run))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(text + " is not a flight recording, or is damaged: ");
        assertThatThrownBy(() -> FlightRecording.read(folder.resolve("missing.jfr"), run))
                .isInstanceOf(NoSuchFileException.class);
    }
}
