/**
 * At which build did a history change?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.level;

import org.jspecify.annotations.NullMarked;
