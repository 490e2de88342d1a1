package dev.downbeat.gatling.version;

import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * The actions after Gatling's report.
 *
 * @param results Gatling's results folder
 * @param corrected Downbeat's page; empty if Gatling's shows corrected times itself
 * @param code the JVM's exit code; {@link ExitCode#MET} to leave Gatling's
 * @param ends whether the calling thread is about to end the JVM
 */
record AfterReport(Path results, Optional<Path> corrected, int code, BooleanSupplier ends) {
    private static final String BODY = "<body>";

    /**
     * Only Gatling's main method may end the JVM with the code. A shutdown hook that gets here runs when the JVM is
     * already ending.
     *
     * @param exit ends the JVM
     */
    void run(IntConsumer exit) {
        link(results, corrected);
        if (code != ExitCode.MET && ends.getAsBoolean()) {
            System.out.flush();
            exit.accept(code);
        }
    }

    /** Adds a note to Gatling's page, if there is one, because both pages say "response time" with different meanings. */
    static void link(Path results, Optional<Path> corrected) {
        corrected.ifPresent(page -> link(results.resolve("index.html"), page));
    }

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
