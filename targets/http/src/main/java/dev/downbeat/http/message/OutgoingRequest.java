package dev.downbeat.http.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request in wire format, and the consumer of its response.
 *
 * @param bytes the whole of an array that is never modified
 * @param expectsNoBody whether the response never has a body, regardless of its header
 * @param sink null if the response is not inspected
 */
public record OutgoingRequest(
        ByteBuffer bytes, boolean expectsNoBody, @Nullable ResponseSink sink) {}
