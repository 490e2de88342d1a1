package dev.downbeat.cli.measurement;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What is sent as a body.
 *
 * @param text itself, or @ and the name of a file that holds it
 */
public record Body(String text) {
    private static final long LARGEST = 64L * 1024 * 1024;

    /** The file that holds it, if one does. */
    Optional<Path> file() {
        return text.startsWith("@") ? Optional.of(Path.of(text.substring(1))) : Optional.empty();
    }

    /**
     * What is sent.
     *
     * @throws IOException if the file cannot be read
     */
    public byte[] bytes() throws IOException {
        if (file().isEmpty()) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        Path file = file().get();
        Refusal.when(
                Files.isRegularFile(file) && Files.size(file) > LARGEST, "--data " + text + " is larger than 64 MiB");
        return Files.readAllBytes(file);
    }

    @Override
    public String toString() {
        return Secrets.hideBody(text);
    }
}
