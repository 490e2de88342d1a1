package dev.downbeat.cli;

import dev.downbeat.cli.measurement.Messages;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.view.SweepJson;
import dev.downbeat.report.view.SweepText;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/** A search that was saved, shown again. */
final class SavedSweep {
    private static final Set<OutputFile.Kind> TAKEN =
            EnumSet.of(OutputFile.Kind.DOWNBEAT, OutputFile.Kind.HTML, OutputFile.Kind.JSON);

    private final Path file;
    private final Console console;

    SavedSweep(Path file, Console console) {
        this.file = file;
        this.console = console;
    }

    int show() throws IOException {
        for (OutputFile output : console.output().files) {
            if (!TAKEN.contains(output.kind())) {
                throw new TypeConversionException(
                        "-o " + output.name() + ": a search is saved as .downbeat, .html or .json");
            }
        }
        SweepReport report = read();
        if (console.output().json) {
            SweepJson.write(report, console.out());
        } else if (console.output().files.isEmpty()) {
            SweepText.write(report, console.colour(), console.out());
        }
        boolean written = !console.out().checkError();
        for (OutputFile output : console.output().files) {
            written &= console.save(output, () -> SweepCommand.save(output, report));
        }
        return written ? ExitCode.MET : ExitCode.NOTHING;
    }

    private SweepReport read() {
        try {
            return SweepFile.read(file);
        } catch (IOException garbled) {
            throw new TypeConversionException(Messages.of(garbled));
        }
    }
}
