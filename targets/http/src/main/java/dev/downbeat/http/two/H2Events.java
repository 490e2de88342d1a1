package dev.downbeat.http.two;

import dev.downbeat.exchange.Outcome;
import org.jspecify.annotations.Nullable;

/** A connection, as what reads its frames sees it. */
interface H2Events {
    /** The server's first settings: the connection can be used. */
    void greeted();

    /** How many more streams it can bear may have changed. */
    void changed();

    /** The server takes no new streams. */
    void retired();

    /** A request that was not processed may be sent again. */
    void unprocessed(H2Stream stream, long now);

    /** A request is over; null for a complete response. */
    void ended(H2Stream stream, @Nullable Outcome failure, long now);
}
