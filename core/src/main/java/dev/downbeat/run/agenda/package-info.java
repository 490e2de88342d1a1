/**
 * Which request is due next: from a schedule, from virtual users, or from sessions, and which wait?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.run.agenda;

import org.jspecify.annotations.NullMarked;
