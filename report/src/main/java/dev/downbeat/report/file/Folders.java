package dev.downbeat.report.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates folders for results. Stateless. */
public final class Folders {
    private Folders() {}

    /** Creates a folder and those above it unless it exists. Before JDK 20 the JDK refuses a symbolic link to one. */
    public static void create(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder);
        }
    }
}
