package dev.downbeat.http;

import org.jspecify.annotations.Nullable;

/**
 * A request as it goes on the wire, and who looks at its response.
 *
 * @param bytes all of it; not changed by anybody
 * @param expectsNoBody whether the response has none, whatever its header says
 * @param sink null if nobody looks at the response
 */
record Outgoing(
        byte[] bytes, boolean expectsNoBody, @Nullable ResponseSink sink) {}
