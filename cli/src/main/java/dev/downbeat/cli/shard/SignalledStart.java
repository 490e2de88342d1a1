package dev.downbeat.cli.shard;

import dev.downbeat.cli.console.Interruption;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** A start that the parent process says on stdin when all its children are ready. The end of stdin stops the run. */
public final class SignalledStart {
    /** What a child says on stdout when it could begin. */
    static final String READY = "ready";

    private SignalledStart() {}

    /**
     * Says that this process is ready and waits for the start.
     *
     * @throws IOException if the parent has gone, or wants no start any more
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
                // There is nothing else to say.
            }
        } catch (IOException gone) {
            // The same as the end.
        }
        interruption.stop();
    }
}
