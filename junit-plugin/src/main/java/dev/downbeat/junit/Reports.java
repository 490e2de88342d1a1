package dev.downbeat.junit;

import dev.downbeat.load.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.JUnitException;

/** Where the reports of a load test are: beside Surefire's, each test under its own name. */
final class Reports {
    private final ExtensionContext context;
    private final String name;

    Reports(ExtensionContext context, TestName name) {
        this.context = context;
        this.name = name.file();
    }

    /** Saves them all; returns the one to look at first. */
    Path save(Measured measured) throws IOException {
        Path folder = Path.of(System.getProperty("downbeat.reports", "target/downbeat"));
        for (String extension : List.of(".txt", ".json", ".hlog")) {
            measured.save(folder.resolve(name + extension));
        }
        Path page = folder.resolve(name + ".html");
        measured.save(page);
        publish(page);
        return page;
    }

    /** Attaches it for IDEs and report writers; by a folder, since the type of a file's kind has moved within JUnit. */
    private void publish(Path page) throws IOException {
        try {
            context.publishDirectory(
                    "downbeat",
                    folder -> Files.copy(page, folder.resolve("report.html"), StandardCopyOption.REPLACE_EXISTING));
        } catch (JUnitException nobodyTakesIt) {
            // the launcher of some IDEs has no place for attachments; the report is saved all the same
        }
    }
}
