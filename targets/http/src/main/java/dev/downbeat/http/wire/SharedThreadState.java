package dev.downbeat.http.wire;

import dev.downbeat.http.message.RequestWriter;
import org.jspecify.annotations.Nullable;

/**
 * State shared by one thread's lanes to several services; a single lane has its own.
 *
 * @param polling waits for all of them
 * @param slots total number of exchanges
 * @param writer writes their requests, because a session may span services; null if all are the same
 */
public record SharedThreadState(
        Polling polling, int slots, @Nullable RequestWriter writer) {}
