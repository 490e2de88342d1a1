package dev.downbeat.cli.meet;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Shared storage through which shards exchange notes by name. Writing a note replaces the previous one of that name.
 * Each shard uses its own instance. Thread-safe.
 */
interface SharedStore extends AutoCloseable {
    /** Maximum note size; a shard's counts take about 100 kB. */
    int MOST_BYTES = 8_000_000;

    void put(String name, byte[] note) throws IOException;

    Optional<byte[]> get(String name) throws IOException;

    /** The polling interval while nothing is urgent; above zero. */
    default Duration pollInterval() {
        return Duration.ofMillis(100);
    }

    /** Waits until the other shards have read what they need, if this process hosts the notes. */
    default void close(Duration atMost) throws IOException {
        close();
    }

    @Override
    default void close() throws IOException {}
}
