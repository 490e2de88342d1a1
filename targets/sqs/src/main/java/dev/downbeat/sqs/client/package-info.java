/**
 * How does an operation reach the service, and what was observed of its connections and attempts? The SDK's clients.
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.sqs.client;

import org.jspecify.annotations.NullMarked;
