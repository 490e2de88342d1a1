package dev.downbeat.http;

import dev.downbeat.exchange.Outcome;
import org.jspecify.annotations.Nullable;

/** The lane, as its connections see it. */
interface H2Owner {
    /** Its settings have come: it can be used. */
    void greeted(H2Connection connection);

    /** How many more streams it can bear may have changed. */
    void changed(H2Connection connection);

    /** It takes no new streams, since the server says so; those that are open go on. */
    void retired(H2Connection connection);

    /** A request that was not processed may be sent again. */
    void unprocessed(H2Stream stream, long now);

    /** A request is over; null for a complete response. */
    void ended(H2Stream stream, @Nullable Outcome failure, long now);

    /** It has something to send. */
    void hasOutput(H2Connection connection);

    /** It is closed; told before the ends of what it carried. {@code why} is null if that was as planned. */
    void closed(H2Connection connection, @Nullable Outcome why);
}
