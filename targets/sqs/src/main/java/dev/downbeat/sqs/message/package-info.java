/**
 * Which messages are Downbeat's, and what was the fate of each: sent, delivered, deleted, returned?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.sqs.message;

import org.jspecify.annotations.NullMarked;
