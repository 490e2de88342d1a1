/**
 * Which request is due next, from a schedule, virtual users or sessions, and which are waiting?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.run.agenda;

import org.jspecify.annotations.NullMarked;
