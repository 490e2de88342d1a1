package dev.downbeat.cli;

import dev.downbeat.report.data.SideBySide;
import dev.downbeat.report.view.SideBySideHtml;
import dev.downbeat.report.view.SideBySideText;
import dev.downbeat.verdict.ExitCode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/** Saved runs that are shown side by side. */
final class SeveralResults {
    private final List<Path> files;
    private final Console console;

    SeveralResults(List<Path> files, Console console) {
        this.files = files;
        this.console = console;
    }

    int show() {
        if (files.size() > SideBySide.MOST) {
            throw new TypeConversionException(
                    "at most " + SideBySide.MOST + " results are shown side by side, but there were " + files.size());
        }
        if (console.output().json) {
            throw new TypeConversionException("--json takes one FILE: run it for each");
        }
        for (OutputFile file : console.output().files) {
            if (file.kind() != OutputFile.Kind.HTML && file.kind() != OutputFile.Kind.MARKDOWN) {
                throw new TypeConversionException(
                        "-o " + file.name() + ": of several results a file must end in .html or .md");
            }
        }
        SideBySide report = read();
        OutputFile.Content screen = out -> SideBySideText.write(report, console.colour(), out);
        boolean written = new PairedOutput("several results", console)
                .write(new PairedOutput.Views(
                        console.output().files.isEmpty() ? screen : out -> {},
                        out -> SideBySideText.write(report, false, out),
                        out -> {},
                        out -> SideBySideHtml.write(report, out)));
        return written ? ExitCode.MET : ExitCode.NOTHING;
    }

    /** By the names of their files; where two have the same, by the whole path. */
    private SideBySide read() {
        Set<Path> names = new HashSet<>();
        boolean unlike = files.stream().allMatch(file -> names.add(file.getFileName()));
        List<SideBySide.Named> named = new ArrayList<>();
        for (Path file : files) {
            Path name = unlike ? file.getFileName() : file;
            named.add(new SideBySide.Named(String.valueOf(name), ReportCommand.read(file)));
        }
        try {
            return new SideBySide(named, Version.text());
        } catch (IllegalArgumentException twice) {
            throw new TypeConversionException("a file is given twice");
        }
    }
}
