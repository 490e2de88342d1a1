package dev.downbeat.cli.measurement.value;

import dev.downbeat.exchange.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A body.
 *
 * @param file file with the body, if there is one
 * @param literal the body itself, if there is no file
 */
public record Body(Optional<Path> file, Secret literal) {
    private static final String AT = "@";
    private static final long LARGEST = 64L * 1024 * 1024;

    public static Body parse(String text) {
        return text.startsWith(AT)
                ? new Body(Optional.of(Path.of(text.substring(1))), Secret.of(""))
                : new Body(Optional.empty(), Secret.of(text));
    }

    public String text() {
        return file.map(path -> AT + path).orElseGet(literal::reveal);
    }

    /**
     * The bytes to send.
     *
     * @throws IOException if the file cannot be read
     */
    public byte[] bytes() throws IOException {
        if (file.isEmpty()) {
            return literal.reveal().getBytes(StandardCharsets.UTF_8);
        }
        Refusal.when(
                Files.isRegularFile(file.get()) && Files.size(file.get()) > LARGEST,
                "--data " + text() + " is larger than 64 MiB");
        return Files.readAllBytes(file.get());
    }
}
