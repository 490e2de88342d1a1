/**
 * What is the highest rate that meets the objectives, and where does the service saturate? A search over rates, one run each,
 * and the scaling law fitted to them.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.capacity;

import org.jspecify.annotations.NullMarked;
