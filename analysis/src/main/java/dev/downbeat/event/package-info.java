/**
 * Which events did a run have? Stalls and slow spells of the service, outages, overload, and pauses of this process.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.event;

import org.jspecify.annotations.NullMarked;
