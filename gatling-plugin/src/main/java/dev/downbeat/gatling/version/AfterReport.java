package dev.downbeat.gatling.version;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggerContextListener;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/**
 * Runs after Gatling's report: Gatling then stops its logging, and its main method ends the JVM. Shutdown hooks of
 * others run as usual.
 */
record AfterReport(Path results, int code, BooleanSupplier ends) implements LoggerContextListener {
    private static final String BODY = "<body>";
    private static final String NAMED = "downbeat.html";

    /**
     * Waits for the end of Gatling's logging.
     *
     * @param code the JVM's exit code; {@link ExitCode#MET} to leave Gatling's
     * @param ends whether the calling thread is about to end the JVM
     * @return false if it will never come, because the logging is not Logback
     */
    static boolean expect(Path results, int code, BooleanSupplier ends) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext logging)) {
            return false;
        }
        logging.addListener(new AfterReport(results, code, ends));
        if (!logging.isStarted()) { // stopped by the previous run in this JVM: another stop would be ignored
            logging.start();
        }
        return true;
    }

    @Override
    public boolean isResetResistant() {
        return true;
    }

    @Override
    public void onStart(LoggerContext context) {}

    @Override
    public void onReset(LoggerContext context) {}

    /**
     * Only Gatling's main method may end the JVM here. A shutdown hook that stops the logging runs when the JVM is
     * already ending.
     */
    @Override
    public void onStop(LoggerContext context) { // which removes its listeners itself and must not be modified meanwhile
        name(results.resolve("index.html"));
        if (code != ExitCode.MET && ends.getAsBoolean()) {
            System.out.flush();
            System.exit(code);
        }
    }

    @Override
    public void onLevelChange(Logger logger, Level level) {}

    /** Adds a note to Gatling's page, because both pages say "response time" with different meanings. */
    private static void name(Path page) {
        try {
            String text = Files.exists(page) ? Files.readString(page, StandardCharsets.UTF_8) : "";
            int at = text.indexOf(BODY);
            if (at >= 0 && !text.contains(NAMED)) {
                Files.writeString(
                        page,
                        text.substring(0, at + BODY.length())
                                + "<div style=\"padding:6px 12px;background:#fff3c4;color:#222;font:14px sans-serif\">"
                                + "These response times count from when each request was sent. From when it was meant"
                                + " to be sent: <a style=\"color:#00429d\" href=\"" + NAMED + "\">" + NAMED
                                + "</a>.</div>" + text.substring(at + BODY.length()),
                        StandardCharsets.UTF_8);
            }
        } catch (IOException failed) {
            System.out.println("  " + page + " does not name " + NAMED + ": " + failed);
        }
    }
}
