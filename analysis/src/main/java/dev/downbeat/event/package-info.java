/**
 * What happened once in a run and not all the time: stalls of the service, slow spells, outages, overload, and pauses of this
 * process.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.event;

import org.jspecify.annotations.NullMarked;
