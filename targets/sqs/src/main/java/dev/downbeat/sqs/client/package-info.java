/**
 * How does an operation reach the service, and what was observed of its connections and attempts? The SDK's clients.
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.sqs.client;

import org.jspecify.annotations.NullMarked;
