package dev.downbeat.http.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A request as it goes on the wire, and who looks at its response.
 *
 * @param bytes all of an array that nobody changes
 * @param expectsNoBody whether the response has none, whatever its header says
 * @param sink null if nobody looks at the response
 */
public record OutgoingRequest(
        ByteBuffer bytes, boolean expectsNoBody, @Nullable ResponseSink sink) {}
