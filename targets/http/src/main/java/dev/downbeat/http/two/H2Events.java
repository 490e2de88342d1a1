package dev.downbeat.http.two;

import dev.downbeat.exchange.Outcome;
import org.jspecify.annotations.Nullable;

/** A connection, as seen by its frame reader. */
interface H2Events {
    /** The server's first settings: the connection is usable. */
    void greeted();

    /** The number of available streams may have changed. */
    void changed();

    /** The server accepts no new streams. */
    void retired();

    /** An unprocessed request may be sent again. */
    void unprocessed(H2Stream stream, long now);

    /** A request has ended; {@code failure} is null for a complete response. */
    void ended(H2Stream stream, @Nullable Outcome failure, long now);
}
