package dev.downbeat.cli;

import dev.downbeat.cli.OutputFile.Content;
import dev.downbeat.cli.OutputFile.Kind;
import java.io.IOException;
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
                        "-o " + file.path() + ": with " + what + " a file must end in .html, .json or .md");
            }
        }
    }

    /** Shows and saves; false if something could not be written. */
    boolean write(Views views) {
        boolean written = show(console.output().json ? views.json() : views.screen());
        for (OutputFile file : console.output().files) {
            Content other = file.kind() == Kind.HTML ? views.page() : fenced(views.plain());
            written &= save(file, file.kind() == Kind.JSON ? views.json() : other);
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

    private boolean show(Content content) {
        try {
            content.write(console.out());
        } catch (IOException broken) {
            console.error("stdout: " + Messages.of(broken));
            return false;
        }
        return !console.out().checkError();
    }

    private boolean save(OutputFile file, Content content) {
        try {
            file.write(content);
            return true;
        } catch (IOException broken) {
            console.error("-o " + file.path() + " was not written: " + Errors.ofFile(broken));
            return false;
        }
    }
}
