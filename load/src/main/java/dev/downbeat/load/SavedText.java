package dev.downbeat.load;

import dev.downbeat.report.file.AtomicFile;
import dev.downbeat.report.file.Folders;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes a result as text, and to a file. */
final class SavedText {
    private SavedText() {}

    /** A text that is written in pieces. */
    interface TextWriter {
        void write(Appendable out) throws IOException;
    }

    static String of(TextWriter text) {
        StringBuilder all = new StringBuilder();
        try {
            text.write(all);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible); // a StringBuilder never throws
        }
        return all.toString();
    }

    static AtomicFile.Content utf8(TextWriter text) {
        return out -> {
            Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            text.write(writer);
            writer.flush();
        };
    }

    /** With its dot; the whole name if there is none. */
    static String extension(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(Math.max(0, name.lastIndexOf('.')));
    }

    static IllegalArgumentException refused(Path file, String accepted) {
        return new IllegalArgumentException(
                "the file extension must be " + accepted + ", but the file was " + file.getFileName());
    }

    /** Writes a file, in a folder that is created if it is missing. */
    static void save(Path file, AtomicFile.Content content) {
        boolean interrupted = Thread.interrupted(); // it would close the file, and an interrupted run be lost
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Folders.create(folder);
            }
            AtomicFile.write(file, content);
        } catch (IOException refused) {
            throw LoadException.of(file, "written", refused);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
