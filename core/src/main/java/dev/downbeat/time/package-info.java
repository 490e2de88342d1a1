/**
 * What time is it, and how does a thread wait for an instant?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.time;

import org.jspecify.annotations.NullMarked;
