/**
 * At which build did a history change?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.level;

import org.jspecify.annotations.NullMarked;
