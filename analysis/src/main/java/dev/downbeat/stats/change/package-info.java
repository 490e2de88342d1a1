/**
 * Do two runs differ, and by how much?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.change;

import org.jspecify.annotations.NullMarked;
