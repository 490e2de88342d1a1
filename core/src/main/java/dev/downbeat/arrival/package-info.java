/**
 * When are requests meant to start? Pure arithmetic that reads no clock and starts no thread.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.arrival;

import org.jspecify.annotations.NullMarked;
