package dev.downbeat.watch;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServerConnection;
import jdk.management.jfr.FlightRecorderMXBean;

/**
 * A recording by another JVM's flight recorder. It is fetched at the end rather than streamed, because a stream
 * transfers data every second on the measured service's processors. If abandoned, it ends on its own.
 */
final class RemoteRecording {
    /** How long it continues after the last {@link #goOn}. */
    private static final long UNATTENDED_SECONDS = 120;

    /** Far more than hours of a run need; in a permanent service, older data is dropped. */
    private static final String MOST_BYTES = Integer.toString(256 << 20);

    private static final String BLOCK_BYTES = Integer.toString(1 << 20);

    private final FlightRecorderMXBean recorder;
    private final long id;
    private final long startedAt = System.nanoTime();

    private RemoteRecording(FlightRecorderMXBean recorder, long id) {
        this.recorder = recorder;
        this.id = id;
    }

    /** Starts a recording with these settings, which must be closed. */
    static RemoteRecording start(MBeanServerConnection beans, Map<String, String> settings) throws IOException {
        FlightRecorderMXBean recorder = ManagementFactory.newPlatformMXBeanProxy(
                beans, FlightRecorderMXBean.MXBEAN_NAME, FlightRecorderMXBean.class);
        RemoteRecording started = new RemoteRecording(recorder, recorder.newRecording());
        recorder.setRecordingSettings(started.id, settings);
        recorder.setRecordingOptions(started.id, Map.of("name", "Downbeat", "maxSize", MOST_BYTES));
        started.goOn();
        recorder.startRecording(started.id);
        return started;
    }

    /** Makes a JVM on this machine write the recording to a file if the JVM ends first. */
    void dumpIfJvmEnds(Path file) {
        try {
            recorder.setRecordingOptions(id, Map.of("destination", file.toString(), "dumpOnExit", "true"));
        } catch (IllegalArgumentException denied) { // it belongs to another user or a container
        }
    }

    /** Extends the recording. */
    void goOn() {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedAt) + UNATTENDED_SECONDS;
        recorder.setRecordingOptions(id, Map.of("duration", seconds + " s"));
    }

    /** Ends the recording and writes it to a file. */
    void fetch(Path file) throws IOException {
        recorder.setRecordingOptions(id, Collections.singletonMap("destination", null)); // requested explicitly
        recorder.stopRecording(id);
        long stream = recorder.openStream(id, Map.of("blockSize", BLOCK_BYTES));
        try (OutputStream out = Files.newOutputStream(file)) {
            for (byte[] block = recorder.readStream(stream); block != null; block = recorder.readStream(stream)) {
                out.write(block);
            }
        }
        recorder.closeStream(stream);
    }

    void close() throws IOException {
        recorder.closeRecording(id);
    }
}
