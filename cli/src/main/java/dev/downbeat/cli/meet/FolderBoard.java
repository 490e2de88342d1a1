package dev.downbeat.cli.meet;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/**
 * A folder that all shards share, with a file for each note. A note is renamed into place, so nobody reads half of one.
 *
 * @param folder need not exist
 */
record FolderBoard(Path folder) implements Board {
    private static final Duration PACE = Duration.ofMillis(100);
    private static final SecureRandom RANDOM = new SecureRandom();

    @Override
    public synchronized void put(String name, byte[] note) throws IOException {
        Files.createDirectories(folder);
        Path beside = folder.resolve(name + "." + Long.toHexString(RANDOM.nextLong()));
        try {
            Files.write(beside, note, StandardOpenOption.CREATE_NEW); // never through a link that somebody laid there
            Files.move(
                    beside, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException full) {
            Files.deleteIfExists(beside);
            throw full;
        }
    }

    @Override
    public Optional<byte[]> get(String name) throws IOException {
        try (InputStream in = Files.newInputStream(folder.resolve(name))) {
            return Optional.of(in.readNBytes(MOST_BYTES));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    @Override
    public Duration pace() {
        return PACE;
    }
}
