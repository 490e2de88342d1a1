package dev.downbeat.http;

import dev.downbeat.exchange.Lane;
import java.io.IOException;

/** A lane that can open connections before the clock starts. */
interface OpenedLane extends Lane {
    /**
     * Opens so many.
     *
     * @throws IOException if nobody answers as expected; its message says why
     */
    void openBeforehand(int count) throws IOException;
}
