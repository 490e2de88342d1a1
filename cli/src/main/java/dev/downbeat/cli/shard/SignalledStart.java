package dev.downbeat.cli.shard;

import dev.downbeat.cli.console.Interruption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A start that the parent process sends on stdin when all its children are ready. The end of stdin stops the run. */
public final class SignalledStart {
    /** The line that a child writes on stdout when it is ready. */
    static final String READY = "ready";

    private SignalledStart() {}

    /**
     * Reports readiness and waits for the start.
     *
     * @throws IOException if the parent has exited or cancelled the start
     */
    public static Instant await(PrintWriter out, Interruption interruption) throws IOException {
        out.println(READY);
        out.flush();
        BufferedReader said = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String start = said.readLine();
        if (start == null) {
            throw new IOException("called off before the start");
        }
        Thread watch = new Thread(() -> stopAtTheEnd(said, interruption), "downbeat-parent-watch");
        watch.setDaemon(true);
        watch.start();
        return Instant.parse(start);
    }

    private static void stopAtTheEnd(BufferedReader said, Interruption interruption) {
        try {
            while (said.readLine() != null) {
                // nothing else can be reported
            }
        } catch (IOException gone) {
            // the same as the end of stdin
        }
        interruption.stop();
    }
}
