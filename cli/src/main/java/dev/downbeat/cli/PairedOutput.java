package dev.downbeat.cli;

import dev.downbeat.cli.OutputFile.Content;
import picocli.CommandLine.TypeConversionException;

/** Where a comparison goes: to stdout, and to files of those formats that can hold one. */
final class PairedOutput {
    private final Console console;

    /** Refuses files that cannot hold a comparison; {@code what} says why there is one. */
    PairedOutput(String what, Console console) {
        this.console = console;
        for (OutputFile file : console.output().files) {
            if (file.kind() != OutputFile.Kind.JSON && file.kind() != OutputFile.Kind.MARKDOWN) {
                throw new TypeConversionException(
                        "-o " + file.name() + ": with " + what + " a file must end in .json or .md");
            }
        }
    }

    /** Shows and saves; false if something could not be written. */
    boolean write(Content screen, Content plain, Content json) {
        boolean written = console.show(console.output().json ? json : screen);
        for (OutputFile file : console.output().files) {
            written &= console.save(file, file.kind() == OutputFile.Kind.JSON ? json : fenced(plain));
        }
        return written;
    }

    private static Content fenced(Content plain) {
        return out -> {
            out.append("```\n");
            plain.write(out);
            out.append("```\n");
        };
    }
}
