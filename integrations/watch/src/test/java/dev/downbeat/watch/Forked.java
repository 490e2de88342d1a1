package dev.downbeat.watch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A {@link TroubledService} in a JVM of its own. */
final class Forked implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    Forked(String java, List<String> flags) throws IOException {
        List<String> words = new ArrayList<>(List.of(java, "-Xmx64m", "-XX:TieredStopAtLevel=1"));
        words.addAll(flags);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), TroubledService.class.getName()));
        process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        await("ready");
    }

    static String ownJava() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    long pid() {
        return process.pid();
    }

    /** Does it, and returns when it is done. */
    void tell(String what) throws IOException {
        process.getOutputStream().write((what + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        await("done " + what);
    }

    private void await(String answer) throws IOException {
        for (String line = answers.readLine(); !answer.equals(line); line = answers.readLine()) {
            if (line == null) {
                throw new IOException("the service ended before it said " + answer);
            }
        }
    }

    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Lets it end by itself. */
    void finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
