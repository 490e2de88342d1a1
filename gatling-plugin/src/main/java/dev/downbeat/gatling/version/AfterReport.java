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
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/**
 * Runs after Gatling's report: Gatling then stops its logging, and its main method ends the JVM. Shutdown hooks of
 * others run as usual.
 */
record AfterReport(Path results, Optional<Path> corrected, int code, BooleanSupplier ends)
        implements LoggerContextListener {
    private static final String BODY = "<body>";

    /**
     * Waits for the end of Gatling's logging.
     *
     * @param results Gatling's results folder
     * @param corrected Downbeat's page; empty if Gatling's shows corrected times itself
     * @param code the JVM's exit code; {@link ExitCode#MET} to leave Gatling's
     * @param ends whether the calling thread is about to end the JVM
     * @return false if it will never come, because the logging is not Logback
     */
    static boolean expect(Path results, Optional<Path> corrected, int code, BooleanSupplier ends) {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext logging)) {
            return false;
        }
        logging.addListener(new AfterReport(results, corrected, code, ends));
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
        corrected.ifPresent(page -> link(results.resolve("index.html"), page));
        if (code != ExitCode.MET && ends.getAsBoolean()) {
            System.out.flush();
            System.exit(code);
        }
    }

    @Override
    public void onLevelChange(Logger logger, Level level) {}

    /** Adds a note to Gatling's page, because both pages say "response time" with different meanings. */
    private static void link(Path page, Path corrected) {
        try {
            String text = Files.exists(page) ? Files.readString(page, StandardCharsets.UTF_8) : "";
            int at = text.indexOf(BODY);
            String name = String.valueOf(corrected.getFileName());
            if (at >= 0 && !text.contains(name)) {
                String address = Objects.equals(page.getParent(), corrected.getParent())
                        ? name
                        : corrected.toUri().toString();
                Files.writeString(
                        page,
                        text.substring(0, at + BODY.length())
                                + "<div style=\"padding:6px 12px;background:#fff3c4;color:#222;font:14px sans-serif\">"
                                + "Response times on this page count from the send. For times from the intended start,"
                                + " see <a style=\"color:#00429d\" href=\"" + address + "\">" + name
                                + "</a>.</div>" + text.substring(at + BODY.length()),
                        StandardCharsets.UTF_8);
            }
        } catch (IOException failed) {
            System.out.println("  " + page + " has no link to " + corrected + ": " + failed);
        }
    }
}
