/**
 * Which events did a run have? Stalls and slow spells of the service, outages, overload, and pauses of this process.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.event;

import org.jspecify.annotations.NullMarked;
