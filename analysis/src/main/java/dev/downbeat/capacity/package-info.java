/**
 * What is the highest rate that meets the objectives, and where does the service saturate? A search over rates, one run each,
 * and the scaling law fitted to them.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.capacity;

import org.jspecify.annotations.NullMarked;
