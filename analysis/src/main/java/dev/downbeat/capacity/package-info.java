/**
 * What is the highest rate at which a service keeps its objectives, and how much can it do at all? A search over rates,
 * each measured by a run, and the laws that follow from what was seen.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.capacity;

import org.jspecify.annotations.NullMarked;
