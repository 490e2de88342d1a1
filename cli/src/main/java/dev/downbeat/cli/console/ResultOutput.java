package dev.downbeat.cli.console;

import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.file.OutputFile.Kind;
import dev.downbeat.report.paper.View;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** Where a result of any kind goes: to stdout, and to files of all formats that take every kind. */
public final class ResultOutput {
    private final Console console;
    private final Optional<OutputFile.Bytes> other;

    private ResultOutput(Console console, Optional<OutputFile.Bytes> other) {
        this.console = console;
        this.other = other;
    }

    /** Refuses files that cannot hold such a result; {@code what} names it. */
    public static ResultOutput of(String what, Console console) {
        check(what, console, false);
        return new ResultOutput(console, Optional.empty());
    }

    /** Refuses files that cannot hold such a result; {@code isKept} says whether a .downbeat file can. */
    public static void check(String what, Console console, boolean isKept) {
        check(what, console, isKept ? Optional.of(Kind.DOWNBEAT) : Optional.empty());
    }

    /** Refuses files that cannot hold such a result; {@code more} is a format that this kind has besides. */
    public static void check(String what, Console console, Optional<Kind> more) {
        for (OutputFile file : console.output().files) {
            boolean taken = file.kind().paper().isPresent() || more.equals(Optional.of(file.kind()));
            if (!taken) {
                throw new TypeConversionException("-o " + file.name() + ": " + what + " is saved as "
                        + more.map(kind -> kind.ending() + ", ").orElse("") + ".html, .json, .md, .xml or .txt");
            }
        }
    }

    /** The same, with what a file of the format holds that this kind has besides. */
    public static ResultOutput of(Console console, OutputFile.Bytes other) {
        return new ResultOutput(console, Optional.of(other));
    }

    /** Shows and saves; false if something could not be written. */
    public boolean write(View view) {
        boolean shown = show(view);
        return save(view) && shown;
    }

    /** Writes it on stdout; false if it could not be. */
    public boolean show(View view) {
        return console.show(view);
    }

    /** Saves it in every file that was named; false if one could not be written. */
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
