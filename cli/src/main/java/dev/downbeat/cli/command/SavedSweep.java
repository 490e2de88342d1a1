package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.ResultOutput;
import dev.downbeat.cli.measurement.Messages;
import dev.downbeat.report.data.SweepReport;
import dev.downbeat.report.file.SweepFile;
import dev.downbeat.report.view.sweep.SweepView;
import dev.downbeat.verdict.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.TypeConversionException;

/** A search that was saved, shown again. */
record SavedSweep(Path file, Console console) {
    int show() {
        ResultOutput.check("a search", console, true);
        SweepReport report = read();
        ResultOutput results = ResultOutput.of(console, out -> SweepFile.write(report, out));
        SweepView view = new SweepView(report);
        boolean isShown = console.output().json || console.output().files.isEmpty();
        boolean shown = !isShown || results.show(view);
        boolean written = results.save(view) && shown;
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
