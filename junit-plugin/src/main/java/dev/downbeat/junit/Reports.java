package dev.downbeat.junit;

import dev.downbeat.load.Measured;
import dev.downbeat.report.file.Folders;
import dev.downbeat.report.file.UndecidedPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.JUnitException;

/** The report files of a load test: next to Surefire's, each test under its own name. */
final class Reports {
    private static final String PROPERTY = "downbeat.reports";

    private final ExtensionContext context;
    private final String name;
    private final Path folder;

    /**
     * Creates the folder before the measurement.
     *
     * @throws ExtensionConfigurationException with one line if it is not writable
     */
    Reports(ExtensionContext context, TestName name) {
        this.context = context;
        this.name = name.file();
        folder = folder();
        String why = "";
        try {
            Folders.create(folder);
            why = Files.isWritable(folder) ? "" : "it is not writable";
        } catch (IOException refused) {
            why = refused.toString();
        }
        if (!why.isEmpty()) {
            throw new ExtensionConfigurationException("@LoadTest " + name.shown() + ": no report can be saved in "
                    + folder.toAbsolutePath() + ", and -D" + PROPERTY + "=FOLDER names another: " + why);
        }
    }

    static Path folder() {
        return Path.of(System.getProperty(PROPERTY, "target/downbeat"));
    }

    /** Saves all reports; returns the one to look at first. */
    Path save(Measured measured) throws IOException {
        for (String extension : List.of(".txt", ".json", ".hlog")) {
            measured.save(folder.resolve(name + extension));
        }
        Path page = folder.resolve(name + ".html");
        measured.save(page);
        publish(page);
        return page;
    }

    /** Counts consecutive undecided runs, including this one; 0 if decided. */
    int undecidedInARow(boolean isUndecided) {
        return UndecidedPolicy.inARow(folder.resolve(name + UndecidedPolicy.EXTENSION), isUndecided);
    }

    /** Attaches the report, as a folder: the media type class moved within JUnit. */
    private void publish(Path page) throws IOException {
        try {
            context.publishDirectory(
                    "downbeat",
                    folder -> Files.copy(page, folder.resolve("report.html"), StandardCopyOption.REPLACE_EXISTING));
        } catch (JUnitException | NoSuchMethodError unsupported) {
            // some IDEs, and JUnit before 5.12, do not support attachments; the report is saved anyway
        }
    }
}
