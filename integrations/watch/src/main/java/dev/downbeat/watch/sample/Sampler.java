package dev.downbeat.watch.sample;

import dev.downbeat.why.Event;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Looks at one thing again and again; its instants are readings of {@link System#nanoTime}. Used by one thread. */
public interface Sampler extends AutoCloseable {
    /**
     * Looks.
     *
     * @throws IOException if there is nothing any more to look at
     */
    void sample(long now) throws IOException;

    /** What was seen, on the same clock. */
    List<Event> events();

    /** What a reader has to know beside that. */
    default Optional<String> note() {
        return Optional.empty();
    }

    @Override
    default void close() {}
}
