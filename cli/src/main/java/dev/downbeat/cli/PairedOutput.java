package dev.downbeat.cli;

import dev.downbeat.cli.OutputFile.Content;
import dev.downbeat.cli.OutputFile.Kind;
import java.util.EnumSet;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/** Where a comparison goes: to stdout, and to files of those formats that can hold one. */
final class PairedOutput {
    private static final Set<Kind> TAKEN = EnumSet.of(Kind.HTML, Kind.JSON, Kind.MARKDOWN);

    private final Console console;

    /** The same in each form. */
    record Views(Content screen, Content plain, Content json, Content page) {}

    /** Refuses files that cannot hold a comparison; {@code what} says why there is one. */
    PairedOutput(String what, Console console) {
        this.console = console;
        for (OutputFile file : console.output().files) {
            if (!TAKEN.contains(file.kind())) {
                throw new TypeConversionException(
                        "-o " + file.name() + ": with " + what + " a file must end in .html, .json or .md");
            }
        }
    }

    /** Shows and saves; false if something could not be written. */
    boolean write(Views views) {
        boolean written = console.show(console.output().json ? views.json() : views.screen());
        for (OutputFile file : console.output().files) {
            Content other = file.kind() == Kind.HTML ? views.page() : fenced(views.plain());
            written &= console.save(file, file.kind() == Kind.JSON ? views.json() : other);
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
