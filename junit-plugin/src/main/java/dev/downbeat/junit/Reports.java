package dev.downbeat.junit;

import dev.downbeat.exchange.Redaction;
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

    Reports(ExtensionContext context) {
        this.context = context;
        name = (context.getRequiredTestClass().getName() + "." + call(context)).replaceAll("[^A-Za-z0-9._$-]+", "_");
    }

    /** The method, and which of its calls if it has parameters, which may be URLs. */
    private static String call(ExtensionContext context) {
        String method = context.getRequiredTestMethod().getName();
        String shown = context.getDisplayName();
        return Redaction.line(shown.startsWith(method) ? shown : method + " " + shown);
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

    /** What this test measured when somebody last said that it was well. */
    Baseline baseline() {
        Path folder = Path.of(System.getProperty("downbeat.baselines", "src/test/downbeat"));
        return new Baseline(folder.resolve(name + ".hlog"), Host.own());
    }
}
