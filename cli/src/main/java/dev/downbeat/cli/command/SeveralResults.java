package dev.downbeat.cli.command;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.ResultOutput;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.report.data.SideBySide;
import dev.downbeat.report.view.compare.SideBySideView;
import dev.downbeat.verdict.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/** Saved runs shown side by side. */
record SeveralResults(List<Path> files, Console console) {
    int show() {
        if (files.size() > SideBySide.MOST) {
            throw new TypeConversionException(
                    "at most " + SideBySide.MOST + " results are shown side by side, but there were " + files.size());
        }
        ResultOutput results = ResultOutput.of("several results", console);
        SideBySideView view = new SideBySideView(read());
        boolean isShown = console.output().json || console.output().files.isEmpty();
        boolean shown = !isShown || results.show(view);
        boolean written = results.save(view) && shown;
        return written ? ExitCode.MET : ExitCode.NOTHING;
    }

    /** Named by their files, or by the whole paths where file names are equal. */
    private SideBySide read() {
        Set<Path> names = new HashSet<>();
        boolean unlike = files.stream().allMatch(file -> names.add(file.getFileName()));
        List<SideBySide.Named> named = new ArrayList<>();
        for (Path file : files) {
            Path name = unlike ? file.getFileName() : file;
            named.add(new SideBySide.Named(String.valueOf(name), SavedFile.readRunOrLog(file)));
        }
        try {
            return new SideBySide(named, Version.text());
        } catch (IllegalArgumentException duplicate) {
            throw new TypeConversionException("a file is given twice");
        }
    }
}
