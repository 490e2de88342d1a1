package dev.downbeat.http.wire;

import dev.downbeat.http.message.RequestWriter;
import org.jspecify.annotations.Nullable;

/**
 * What lanes to several services have in common that one thread keeps; a lane alone has it for itself.
 *
 * @param polling waits for all of them at once
 * @param slots how many exchanges there are over all of them
 * @param writer writes their requests, since a session may go from one service to the next; null if all are the same
 */
public record SharedThreadState(
        Polling polling, int slots, @Nullable RequestWriter writer) {}
