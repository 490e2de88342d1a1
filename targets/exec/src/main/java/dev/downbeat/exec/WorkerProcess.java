package dev.downbeat.exec;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A running worker and its pipes. One thread writes and reads; {@link #kill} may be called by any thread and ends a
 * blocked read.
 */
final class WorkerProcess {
    private static final int LONGEST_LINE = 65_536;
    private static final int SHOWN = 60;
    private static final String PING = "ping";
    private static final String PONG = "pong";
    private static final long END_MILLIS = 1_000;

    /** How long to wait for a worker's last line on stderr. */
    private static final long REPORT_MILLIS = 200;

    private final Process process;
    private final OutputStream in;
    private final InputStream out;
    private final byte[] line = new byte[LONGEST_LINE];
    private final Thread errors;
    private volatile String lastError = "";

    /** A worker's line was invalid. */
    static final class WrongLine extends IOException {
        private static final long serialVersionUID = 1;

        WrongLine(String message) {
            super(message);
        }
    }

    private WorkerProcess(Process process) {
        this.process = process;
        this.in = process.getOutputStream();
        this.out = new BufferedInputStream(process.getInputStream());
        errors = new Thread(this::readErrors, "downbeat-exec-stderr");
        errors.setDaemon(true);
        errors.start();
    }

    /**
     * @throws IOException if no shell can be started
     */
    static WorkerProcess start(String command) throws IOException {
        boolean isWindows = System.getProperty("os.name", "").startsWith("Windows");
        List<String> shell = isWindows ? List.of("cmd", "/c", command) : List.of("/bin/sh", "-c", command);
        return new WorkerProcess(new ProcessBuilder(shell).start());
    }

    /** Keeps the last line on stderr, which usually says why a worker exited. */
    private void readErrors() {
        byte[] buffer = new byte[8_192];
        try (InputStream errors = process.getErrorStream()) {
            for (int read = errors.read(buffer); read >= 0; read = errors.read(buffer)) {
                String text = new String(buffer, 0, read, StandardCharsets.UTF_8).strip();
                lastError = text.isEmpty() ? lastError : text.substring(text.lastIndexOf('\n') + 1);
            }
        } catch (IOException ended) {
            // the reader of its answers notices the end
        }
    }

    /** Makes one round trip without a request. */
    void ping() throws IOException {
        String answer = ask(PING);
        if (!answer.equals(PONG)) {
            throw new WrongLine("answered '" + shown(answer) + "' to 'ping', not 'pong'");
        }
    }

    /** Output that it wrote without a request; empty if there is none. */
    Optional<String> unasked() throws IOException {
        return out.available() > 0 ? Optional.of(shown(read())) : Optional.empty();
    }

    /** Output without a request, up to the answer of a final ping; empty if there is none. */
    Optional<String> unaskedBeforePing() throws IOException {
        String answer = ask(PING);
        return answer.equals(PONG) ? Optional.empty() : Optional.of(shown(answer));
    }

    /**
     * Writes a line and waits for the answer.
     *
     * @throws WrongLine if the line is too long
     * @throws IOException if the worker has exited
     */
    String ask(String request) throws IOException {
        try {
            in.write((request + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException closed) {
            throw new IOException(ending(), closed);
        }
        return read();
    }

    private String read() throws IOException {
        int length = 0;
        for (int next = out.read(); next != '\n'; next = out.read()) {
            if (next < 0) {
                throw new IOException(ending());
            }
            if (length == LONGEST_LINE) {
                throw new WrongLine("wrote a line of more than " + LONGEST_LINE + " bytes");
            }
            line[length++] = (byte) next;
        }
        return new String(line, 0, length, StandardCharsets.UTF_8).strip();
    }

    /** A line, shortened for a message. */
    static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }

    /** How it exited, and its last line on stderr. */
    private String ending() {
        try {
            boolean hasEnded = process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
            errors.join(REPORT_MILLIS);
            String how = hasEnded ? "ended with " + process.exitValue() : "closed its output";
            return lastError.isEmpty() ? how : how + ": " + shown(lastError);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "ended";
        }
    }

    /** Closes its input so that it can exit, then kills it if it does not. */
    void end() {
        try {
            in.close();
            process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
        } catch (IOException ended) {
            // stop waiting
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        kill();
    }

    /** Kills it with all its child processes. */
    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
