/**
 * What time is it, how does a thread begin and wait for an instant, and how long does a service take?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.time;

import org.jspecify.annotations.NullMarked;
