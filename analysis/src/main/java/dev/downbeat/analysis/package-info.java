/**
 * What a run shows as a whole: what happened in it in the order of weight, and what follows for a script.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.analysis;

import org.jspecify.annotations.NullMarked;
