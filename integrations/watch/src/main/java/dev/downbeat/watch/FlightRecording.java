package dev.downbeat.watch;

import dev.downbeat.watch.sample.SamplingWatcher;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads a flight recording file, event by event. */
public final class FlightRecording {
    /** Two processes that read one machine's wall clock. Between machines, the synchronisation determines the error. */
    private static final long UNCERTAINTY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private FlightRecording() {}

    /** The events of a run; throws with one line if the file cannot be read or is not a recording. */
    public static WatchResult read(Path file, RunTime run) throws IOException {
        if (!Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        String source = String.valueOf(file.getFileName());
        FlightEvents events = new FlightEvents();
        long[] ends = {Long.MAX_VALUE, Long.MIN_VALUE};
        each(file, event -> {
            long start = FlightEvents.nanos(event.getStartTime());
            long end = start + Math.max(0, event.getDuration().toNanos());
            ends[0] = Math.min(ends[0], start);
            ends[1] = Math.max(ends[1], end);
            if (end >= run.startNanos() && start <= run.endNanos()) {
                events.accept(event);
            }
        });
        long first = ends[0];
        long last = ends[1];
        if (last < first) {
            return WatchResult.nothing(source, "it holds no event");
        }
        Optional<String> missed = run.missedBy(first, last);
        if (missed.isPresent()) {
            return WatchResult.nothing(source, missed.get());
        }
        long from = Math.max(0, first - run.startNanos());
        long to = Math.max(from, Math.min(run.durationNanos(), last - run.startNanos()));
        return new WatchResult(source, run.ofRun(events.events()), from, to, UNCERTAINTY_NANOS, events.notes());
    }

    /** Reads event by event; error messages are one line. */
    static void each(Path file, Consumer<RecordedEvent> reader) throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                reader.accept(recording.readEvent());
            }
        } catch (IOException | RuntimeException corrupt) {
            throw new IOException(
                    file + " is not a flight recording, or is damaged: " + SamplingWatcher.line(corrupt), corrupt);
        }
    }
}
