package dev.downbeat.watch.sample;

import dev.downbeat.why.Event;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Samples one quantity repeatedly; instants are readings of {@link System#nanoTime}. Used by one thread. */
public interface Sampler extends AutoCloseable {
    /**
     * Takes a sample.
     *
     * @throws IOException if there is nothing left to sample
     */
    void sample(long now) throws IOException;

    /** The events seen, on the same clock. */
    List<Event> events();

    /** An additional note for the reader. */
    default Optional<String> note() {
        return Optional.empty();
    }

    @Override
    default void close() {}
}
