package dev.downbeat.cli;

import dev.downbeat.report.RunReport;
import dev.downbeat.report.SavedRun;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Shows a saved run again. */
@Command(
        name = "report",
        header = "Shows a saved run again, in any format.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        synopsisHeading = "%n",
        customSynopsis = "downbeat report FILE [OPTION...]",
        footer = {
            "",
            "A run that did not see its end is in NAME.downbeat.part. A .hlog knows the times",
            "and the ledger, but no connections, no examples and no machine."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "  0:shown, whatever was found of the service",
            "  1:a report could not be written",
            "  2:the command line is wrong, or the file cannot be read",
            " 98:shown, but the record of the run was cut off"
        })
final class ReportCommand implements Callable<Integer> {
    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "A run that was saved with -o NAME.downbeat, or its histogram log (.hlog).")
    @SuppressWarnings("NullAway.Init") // picocli refuses a command line without it
    Path file;

    @Mixin(name = "Output")
    OutputOptions output = new OutputOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before anything runs
    CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        output.check();
        Console console = Console.of(spec, output);
        RunReport report = file.toString().endsWith(".hlog") ? ofLog(file) : SavedFile.read(file);
        if (SavedFile.hasLaterPart(file)) {
            console.note("a later run to this file did not come to its end: downbeat report " + SavedFile.part(file));
        }
        boolean onlyFiles = !output.files.isEmpty() && !output.json;
        boolean written = onlyFiles || console.show(report);
        for (OutputFile each : output.files) {
            written &= console.save(each, report);
        }
        if (!written) {
            return ExitCode.NOTHING;
        }
        return report.result().ending() == RunResult.Ending.CUT_OFF ? ExitCode.UNSOUND : ExitCode.MET;
    }

    private static RunReport ofLog(Path file) {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            return SavedRun.read(lines, file.toString()).toReport();
        } catch (CharacterCodingException binary) {
            throw new TypeConversionException(file + " is no histogram log");
        } catch (FileSystemException unreadable) {
            throw new TypeConversionException("cannot read " + file + ": " + Errors.ofFile(unreadable));
        } catch (IOException garbled) {
            throw new TypeConversionException(Messages.of(garbled));
        }
    }
}
