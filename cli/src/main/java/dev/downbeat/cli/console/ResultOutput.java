package dev.downbeat.cli.console;

import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.OutputFile.Kind;
import dev.downbeat.report.paper.View;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** Writes a result of any kind to stdout and to files of all formats. */
public final class ResultOutput {
    private final Console console;
    private final Optional<OutputFile.Bytes> other;

    private ResultOutput(Console console, Optional<OutputFile.Bytes> other) {
        this.console = console;
        this.other = other;
    }

    /** Refuses file formats that cannot hold the result; {@code what} names it. */
    public static ResultOutput of(String what, Console console) {
        check(what, console, false);
        return new ResultOutput(console, Optional.empty());
    }

    /** Refuses file formats that cannot hold the result; {@code isKept} allows .downbeat files. */
    public static void check(String what, Console console, boolean isKept) {
        check(what, console, isKept ? Optional.of(Kind.DOWNBEAT) : Optional.empty());
    }

    /** Refuses file formats that cannot hold the result; {@code more} is an additional format of its kind. */
    public static void check(String what, Console console, Optional<Kind> more) {
        for (OutputFile file : console.output().files) {
            boolean taken = file.kind().paper().isPresent() || more.equals(Optional.of(file.kind()));
            if (!taken) {
                throw new TypeConversionException("-o " + file.name() + ": " + what + " is saved as "
                        + more.map(kind -> kind.ending() + ", ").orElse("") + ".html, .json, .md, .xml or .txt");
            }
        }
    }

    /** An output with the content of its kind's additional format. */
    public static ResultOutput of(Console console, OutputFile.Bytes other) {
        return new ResultOutput(console, Optional.of(other));
    }

    /** Shows and saves; false if any part failed. */
    public boolean write(View view) {
        boolean shown = show(view);
        return save(view) && shown;
    }

    /** Writes the result to stdout; false on failure. */
    public boolean show(View view) {
        return console.show(view);
    }

    /** Saves the result in every named file; false if any failed. */
    public boolean save(View view) {
        boolean written = true;
        for (OutputFile file : console.output().files) {
            written &= console.save(file, () -> {
                if (file.kind().paper().isPresent()) {
                    file.write(out -> file.kind().paper().get().write(view, out));
                } else {
                    file.writeBytes(other.orElseThrow());
                }
            });
        }
        return written;
    }
}
