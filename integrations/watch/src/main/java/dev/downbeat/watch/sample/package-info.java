/**
 * How do samples become events: which values are high, which overlap, and when is the next sample due?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.watch.sample;

import org.jspecify.annotations.NullMarked;
