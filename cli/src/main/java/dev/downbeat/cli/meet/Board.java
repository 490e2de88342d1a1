package dev.downbeat.cli.meet;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Where shards leave notes for each other. A name holds the last note written to it. Each shard uses its own board, from any thread. */
interface Board extends AutoCloseable {
    /** The longest note: a shard's counts take some 100 kB. */
    int MOST_BYTES = 8_000_000;

    void put(String name, byte[] note) throws IOException;

    /** The note of that name, if there is one. */
    Optional<byte[]> get(String name) throws IOException;

    /** How long to wait between two looks while nothing is urgent; above zero. */
    Duration pace();

    /** Waits until others have what they need from this process, where it is the meeting place. */
    default void close(Duration atMost) throws IOException {
        close();
    }

    @Override
    default void close() throws IOException {}
}
