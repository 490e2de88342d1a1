package dev.downbeat.cli.freeze;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Sends signals to one process without delay. It keeps a shell running, since starting one takes milliseconds and the
 * time of a freeze must be known more precisely. Not thread-safe.
 */
final class StopSwitch implements Closeable {
    private final Process shell;
    private final OutputStream in;
    private final BufferedReader said;

    StopSwitch(long pid) throws IOException {
        String loop = "while read signal; do kill -$signal " + pid + " && echo sent; done";
        shell = new ProcessBuilder("sh", "-c", loop).redirectErrorStream(true).start();
        in = shell.getOutputStream();
        said = new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Freezes the process.
     *
     * @return when, by {@link System#nanoTime}, to within the time of sending
     */
    long freeze() throws IOException {
        return send("STOP");
    }

    /** Resumes the process; returns when. */
    long resume() throws IOException {
        return send("CONT");
    }

    private long send(String signal) throws IOException {
        long before = System.nanoTime();
        in.write((signal + "\n").getBytes(StandardCharsets.US_ASCII));
        in.flush();
        String answer = said.readLine();
        if (!"sent".equals(answer)) {
            throw new IOException("SIG" + signal + " could not be sent: " + answer);
        }
        return before + (System.nanoTime() - before) / 2;
    }

    @Override
    public void close() {
        shell.destroy();
    }
}
