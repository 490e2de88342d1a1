/**
 * What time is it, and how does a thread wait for an instant?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.time;

import org.jspecify.annotations.NullMarked;
