/**
 * Which messages are ours, and what became of each: sent, delivered, deleted, given back?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.sqs.message;

import org.jspecify.annotations.NullMarked;
