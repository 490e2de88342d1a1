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
 * What is done after Gatling has made its report: it then stops its logging, and its main method ends the JVM. Hooks of
 * others run as always.
 */
record AfterReport(Path results, int code, BooleanSupplier ends) implements LoggerContextListener {
    private static final String BODY = "<body>";
    private static final String NAMED = "downbeat.html";

    /**
     * Waits for the end of Gatling's logging.
     *
     * @param code to end the JVM with; {@link ExitCode#MET} for as Gatling ends it
     * @param ends whether the calling thread is about to end the JVM
     * @return whether it will come: not if the logging is another than Logback
     */
    static boolean expect(Path results, int code, BooleanSupplier ends) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext logging)) {
            return false;
        }
        logging.addListener(new AfterReport(results, code, ends));
        if (!logging
                .isStarted()) { // by the run before this one in the same JVM: then Gatling's next stop would be none
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

    /** A hook that stops the logging must not end the JVM, which is ending: only Gatling's main method does. */
    @Override
    public void onStop(
            LoggerContext context) { // which forgets its listeners by itself, and must not be changed meanwhile
        name(results.resolve("index.html"));
        if (code != ExitCode.MET && ends.getAsBoolean()) {
            System.out.flush();
            System.exit(code);
        }
    }

    @Override
    public void onLevelChange(Logger logger, Level level) {}

    /** Gatling's page names ours, since both say "response time" and mean two things. */
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
        } catch (IOException cannot) {
            System.out.println("  " + page + " does not name " + NAMED + ": " + cannot);
        }
    }
}
