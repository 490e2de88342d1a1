/**
 * When should requests start? Pure arithmetic without clocks or threads.
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.arrival;

import org.jspecify.annotations.NullMarked;
