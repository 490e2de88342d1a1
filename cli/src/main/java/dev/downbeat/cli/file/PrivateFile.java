package dev.downbeat.cli.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files readable by their owner only, from their first byte on. */
public final class PrivateFile {
    private PrivateFile() {}

    /**
     * Writes a text. A new file replaces an existing one, which others may have open; pipes and devices are written to.
     */
    public static void write(Path file, String text) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            Files.writeString(file, text);
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        Path beside = Files.createTempFile(folder, ".downbeat-", ".part"); // mode 0600 where supported
        try {
            Files.writeString(beside, text);
            Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(beside);
        }
    }
}
